#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *arg)
{
    sleep(2);
    return 0;
}

/* Both sleep at the same time. */
int main(void)
{
    struct timespec before, after;
    pthread_t t;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_create(&t, 0, sleeper, 0);
    sleep(2);
    pthread_join(t, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= before.tv_sec + 4);
    return 0;
}
