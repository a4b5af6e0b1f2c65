#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int x, y;
static void *worker(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(t, 0);
    pthread_barrier_destroy(&b);
    return 0;
}
