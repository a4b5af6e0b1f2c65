// An assumption is no instruction: the store behind it need not wait for the read before it, so the two reads may
// justify each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
atomic_int x, y;

void *first(void *p)
{
    int v = atomic_load_explicit(&x, memory_order_relaxed);
    __VERIFIER_assume(v == 1);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    assert(v == 0);
    return p;
}

void *second(void *p)
{
    for (;;) {
        int v = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_store_explicit(&x, v, memory_order_relaxed);
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
