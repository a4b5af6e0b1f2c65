/* A message whose reader has a fence that consumes, which is one that acquires (C17, 7.17.4.1). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, message;

void *writer(void *none)
{
    atomic_store_explicit(&message, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(memory_order_consume);
    if (seen)
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    pthread_join(thread, 0);
    return 0;
}
