// A second has less than 1000000000 nanoseconds.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
    struct timespec t = { 0, 999999999 };
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &t) != EINVAL);
    pthread_mutex_unlock(&m);
    return 0;
}
