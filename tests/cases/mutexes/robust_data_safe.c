// The owner's end comes before who takes the mutex from it.
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    x = 2;
    return 0;
}
