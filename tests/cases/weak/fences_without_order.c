// The message about x goes through a thread that does not synchronise. That one seq_cst fence came first in an
// interleaving does not order them: b may be visible before a is read, and x may be read as 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, a, b;

void *write_x(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    return arg;
}

void *hand_on(void *arg)
{
    int seen = atomic_load_explicit(&a, memory_order_relaxed);
    atomic_store_explicit(&b, seen, memory_order_relaxed);
    return arg;
}

void *read_x(void *arg)
{
    int seen = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (seen)
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, write_x, 0);
    pthread_create(&t[1], 0, hand_on, 0);
    pthread_create(&t[2], 0, read_x, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
