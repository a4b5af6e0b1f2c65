/* A release, and a store of another thread, which ends its sequence: who reads the store knows nothing of
   the release. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int state;

void *publish(void *unused)
{
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    return 0;
}

void *count(void *unused)
{
    if (atomic_load_explicit(&state, memory_order_relaxed) == 1) {
        atomic_store_explicit(&state, 2, memory_order_relaxed);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, publish, 0);
    pthread_create(&b, 0, count, 0);
    if (atomic_load_explicit(&state, memory_order_acquire) == 2) {
        assert(data == 1);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
