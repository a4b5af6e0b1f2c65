// Joining with a deadline is a cancellation point; locking a mutex is none.
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static void *worker(void *arg) {
    struct timespec t = { 0, 0 };
    pthread_cancel(pthread_self());
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_timedjoin_np(first, 0, &t);
    assert(0);
    return 0;
}
int main(void) {
    pthread_t t;
    void *result;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
