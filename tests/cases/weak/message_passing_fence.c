/* A fence makes the relaxed load acquire. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data;
atomic_int flag;

void *one(void *unused)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

void *two(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    }
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
