/* The block is left only after the thread has ended. */
#include <pthread.h>
static void *writes(void *arg) { *(int *)arg = 2; return 0; }
int main(void)
{
    pthread_t thread;
    {
        int local = 1;
        pthread_create(&thread, 0, writes, &local);
        pthread_join(thread, 0);
    }
    return 0;
}
