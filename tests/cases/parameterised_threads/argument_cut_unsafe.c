/* The thread function takes an int: of the argument only the lower half is seen, which is zero. */
#include <pthread.h>

void reach_error(void) {}

void *worker(int arg)
{
    if (arg)
        return 0;
    reach_error();
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, (void *(*)(void *))worker, (void *)0x100000000);
    return 0;
}
