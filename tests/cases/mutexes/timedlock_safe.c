// A timed lock may give up while another thread holds the mutex, so it never blocks for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
    struct timespec t = {1, 0};
    int r = pthread_mutex_timedlock(&m, &t);
    assert(r == ETIMEDOUT);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
