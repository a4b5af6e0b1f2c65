/* Peterson in one order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants1, wants2, turn, inside;

void *one(void *unused)
{
    atomic_store_explicit(&wants1, 1, memory_order_seq_cst);
    atomic_store_explicit(&turn, 1, memory_order_seq_cst);
    while (atomic_load_explicit(&wants2, memory_order_seq_cst) && atomic_load_explicit(&turn, memory_order_seq_cst) == 1)
        ;
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    assert(atomic_load_explicit(&inside, memory_order_relaxed) == 1);
    atomic_store_explicit(&wants1, 0, memory_order_release);
    return 0;
}

void *two(void *unused)
{
    atomic_store_explicit(&wants2, 1, memory_order_seq_cst);
    atomic_store_explicit(&turn, 2, memory_order_seq_cst);
    while (atomic_load_explicit(&wants1, memory_order_seq_cst) && atomic_load_explicit(&turn, memory_order_seq_cst) == 2)
        ;
    atomic_store_explicit(&inside, 2, memory_order_relaxed);
    assert(atomic_load_explicit(&inside, memory_order_relaxed) == 2);
    atomic_store_explicit(&wants2, 0, memory_order_release);
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
