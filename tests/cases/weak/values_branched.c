// As values_assumed.c with a branch, on which the store depends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *first(void *p)
{
    int v = atomic_load_explicit(&x, memory_order_relaxed);
    if (v != 1)
        return p;
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
