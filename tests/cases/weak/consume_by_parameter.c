/* The order is known where the function is called only: nothing consumes here. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, message;

int get(atomic_int *from, memory_order order)
{
    return atomic_load_explicit(from, order);
}

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
    if (get(&flag, memory_order_acquire))
        assert(get(&message, memory_order_relaxed) == 1);
    pthread_join(thread, 0);
    return 0;
}
