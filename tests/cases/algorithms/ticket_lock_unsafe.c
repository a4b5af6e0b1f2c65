#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int x;
static void *worker(void *arg) {
    unsigned mine = next; next = mine + 1;
    while (atomic_load(&serving) < mine)
        ;
    int old = x;
    x = old + 1;
    atomic_fetch_add(&serving, 1);
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
