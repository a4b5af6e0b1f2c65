/* It may acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

void *one(void *unused)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

void *two(void *unused)
{
    int expected = 5;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 7, memory_order_acq_rel, memory_order_acquire);
    if (expected == 1)
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
