// Which values go round for ever is all that there is to know: no order is needed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *forth(void *p)
{
    for (;;) {
        int v = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_store_explicit(&x, v == 2 ? 0 : v + 1, memory_order_relaxed);
    }
    return p;
}

void *back(void *p)
{
    for (;;) {
        int v = atomic_load_explicit(&x, memory_order_relaxed);
        assert(v <= 2);
        atomic_store_explicit(&y, v, memory_order_relaxed);
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, forth, 0);
    pthread_create(&t, 0, back, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
