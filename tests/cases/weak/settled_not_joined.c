// Read before the writer is joined: the first value may still be there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

void *worker(void *arg)
{
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(atomic_load_explicit(&done, memory_order_relaxed) == 1);
    pthread_join(t, 0);
    return 0;
}
