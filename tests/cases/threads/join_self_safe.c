// A thread that joins itself is told so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *worker(void *arg) {
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
