#include <pthread.h>
#include <stdatomic.h>
static _Atomic int x;
static void *one(void *arg) { __atomic_store_n((int *)&x, 1, __ATOMIC_SEQ_CST); return 0; }
static void *two(void *arg) { int r = x; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
