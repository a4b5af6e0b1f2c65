/* What is stored depends on what was loaded. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;

void *one(void *unused)
{
    first = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, first + 1, memory_order_relaxed);
    return 0;
}

void *two(void *unused)
{
    second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, second + 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 0 || second == 0);
    return 0;
}
