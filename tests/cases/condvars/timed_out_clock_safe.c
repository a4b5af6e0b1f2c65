// Who timed out has seen the clock of the condition variable reach the deadline.
#include <pthread.h>
#include <errno.h>
#include <time.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
int main(void)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&c, &attr);
    struct timespec deadline, now;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 2;
    pthread_mutex_lock(&m);
    int error = pthread_cond_timedwait(&c, &m, &deadline);
    pthread_mutex_unlock(&m);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(error != ETIMEDOUT || now.tv_sec >= deadline.tv_sec);
    return 0;
}
