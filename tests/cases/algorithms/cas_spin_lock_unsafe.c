#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int x;
static void acquire(void) {
    int zero;
    do
        zero = 0;
    while (!atomic_compare_exchange_strong(&lock, &zero, 1));
}
static void *worker(void *arg) {
    acquire();
    x++;
    lock = 0;
    x++;
    lock = 0;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 4);
    return 0;
}
