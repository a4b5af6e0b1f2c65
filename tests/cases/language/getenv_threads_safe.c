/* Threads may ask at the same time. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg)
{
    char *mode = getenv("MODE");
    assert(!mode || mode[0] == getenv("MODE")[0]);
    return arg;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
