/* A hazard pointer: the reader publishes what it is about to use and looks again whether it is still there;
   who takes it out looks whether somebody uses it before it reuses the memory. Both are store buffering. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int value;
};

struct node first, second;
_Atomic(struct node *) shared = &first;
_Atomic(struct node *) hazard;

void *reader(void *unused)
{
    struct node *node = atomic_load_explicit(&shared, memory_order_relaxed);
    atomic_store_explicit(&hazard, node, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&shared, memory_order_acquire) == node)
        assert(atomic_load_explicit(&node->value, memory_order_relaxed) != 2); // nobody reuses it now
    atomic_store_explicit(&hazard, 0, memory_order_release);
    return 0;
}

void *writer(void *unused)
{
    atomic_store_explicit(&shared, &second, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&hazard, memory_order_acquire) != &first)
        atomic_store_explicit(&first.value, 2, memory_order_relaxed); // reused
    return 0;
}

int main(void)
{
    pthread_t a, b;
    atomic_init(&first.value, 1);
    atomic_init(&second.value, 1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
