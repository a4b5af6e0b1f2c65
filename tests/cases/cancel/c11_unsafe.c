// Sleeping is a cancellation point, too.
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static void *worker(void *arg) {
    struct timespec t = { 0, 1 };
    pthread_cancel(pthread_self());
    thrd_yield();
    assert(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
