// Nor does it between threads.
#include <assert.h>
#include <pthread.h>
#include <time.h>

struct timespec seen;

void *worker(void *arg)
{
    clock_gettime(CLOCK_MONOTONIC, &seen);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec after;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= seen.tv_sec);
    return 0;
}
