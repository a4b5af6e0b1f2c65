// The only writer writes again after the start: the other thread may see either.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int size;

void *worker(void *arg)
{
    assert(atomic_load_explicit(&size, memory_order_relaxed) == 3);
    return 0;
}

int main(void)
{
    pthread_t t;
    atomic_store_explicit(&size, 3, memory_order_relaxed);
    pthread_create(&t, 0, worker, 0);
    atomic_store_explicit(&size, 4, memory_order_relaxed);
    pthread_join(t, 0);
    return 0;
}
