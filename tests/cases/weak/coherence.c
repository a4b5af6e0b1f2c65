/* One location has one history, for all. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int first, second;

void *one(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

void *two(void *unused)
{
    first = atomic_load_explicit(&x, memory_order_relaxed);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first <= second && x == 2);
    return 0;
}
