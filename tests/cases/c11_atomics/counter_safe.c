// An increment of an atomic object is one step; a load and a store are two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int x;
static void *worker(void *arg) {
    x++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
