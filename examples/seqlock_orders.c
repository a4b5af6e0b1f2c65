// A sequence lock with the orders that it needs: the reader looks at the sequence before and behind the data.
//   obmc check examples/seqlock_orders.c                UNSAFE: the data are read after the second look
//   obmc check examples/seqlock_orders.c --mm tso       SAFE: x86 does not reorder reads
//   obmc check examples/seqlock_orders.c -DFENCED       SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, low, high;

void *writer(void *unused)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, 1, memory_order_relaxed);
    atomic_store_explicit(&high, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return 0;
}

void *reader(void *unused)
{
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int l = atomic_load_explicit(&low, memory_order_relaxed);
    int h = atomic_load_explicit(&high, memory_order_relaxed);
#ifdef FENCED
    atomic_thread_fence(memory_order_acquire);
#endif
    int after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(l == h);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
