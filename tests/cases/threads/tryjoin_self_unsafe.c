// A thread that still runs cannot be joined at once, not by itself either.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *worker(void *arg) {
    assert(pthread_tryjoin_np(pthread_self(), 0) == EBUSY);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_tryjoin_np(thread, 0);
    pthread_join(thread, 0);
    return 0;
}
