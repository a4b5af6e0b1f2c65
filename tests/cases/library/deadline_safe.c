// A deadline is computed from the clock; what it is decides nothing.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, result;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    result = 42;
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec end;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 1;
    end.tv_nsec += 500000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    assert(end.tv_nsec >= 0 && end.tv_nsec < 1000000000);
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&lock);
    while (!done && !error)
        error = pthread_cond_timedwait(&changed, &lock, &end);
    if (done)
        assert(result == 42);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
