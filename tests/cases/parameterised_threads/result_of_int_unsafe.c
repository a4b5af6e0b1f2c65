/* The thread function gives an int: as a pointer -1 is not all ones. */
#include <pthread.h>

void reach_error(void) {}

int worker(void *arg)
{
    return -1;
}

int main(void)
{
    pthread_t id;
    void *result;
    pthread_create(&id, 0, (void *(*)(void *))worker, 0);
    pthread_join(id, &result);
    if ((long)result != -1)
        reach_error();
    return 0;
}
