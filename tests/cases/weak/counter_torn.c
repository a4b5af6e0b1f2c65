/* A load and a store are no read-modify-write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *one(void *unused)
{
    int old = atomic_load_explicit(&count, memory_order_seq_cst);
    atomic_store_explicit(&count, old + 1, memory_order_seq_cst);
    return 0;
}

void *two(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_seq_cst);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
