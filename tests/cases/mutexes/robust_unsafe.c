// Who gets a mutex whose owner has ended is told so, and must make its state consistent.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, worker, 0);
    int r = pthread_mutex_lock(&m);
    if (r == 0) {
        pthread_mutex_unlock(&m);
        pthread_join(t, 0);
        r = pthread_mutex_lock(&m);
    }
    assert(r == EOWNERDEAD);
    
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    return 0;
}
