// Only who would have to wait looks at the time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    struct timespec t = { 0, -1 };
    assert(pthread_mutex_timedlock(&m, &t) == 0);
    assert(pthread_mutex_timedlock(&m, &t) == ETIMEDOUT);
    return 0;
}
