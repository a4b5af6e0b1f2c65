// A thread that ends in the routine leaves it to others to run it.
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;
static void routine(void) {
    runs++;
    if (runs == 1)
        pthread_exit(0);
}
static void *worker(void *arg) {
    pthread_once(&once, routine);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_once(&once, routine);
    assert(runs == 2);
    return 0;
}
