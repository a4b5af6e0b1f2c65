#include <pthread.h>
#include <assert.h>
/* Each thread counts for itself, and one step too far. */
_Thread_local int n = 3;
void *worker(void *arg)
{
    while (n <= 10) {
        n++;
        assert(n > 3 && n <= 10);
    }
    return 0;
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
