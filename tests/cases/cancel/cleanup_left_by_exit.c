#include <assert.h>
#include <pthread.h>

static int runs;

static void count(void *by)
{
    runs++;
}

static void *worker(void *early)
{
    pthread_cleanup_push(count, 0);
    if (early)
        pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, &runs);
    pthread_join(t, 0);
    assert(runs == 1);
    return 0;
}
