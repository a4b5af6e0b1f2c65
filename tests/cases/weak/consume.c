/* A message whose reader consumes: nothing of what it reads next depends on the flag. Compilers make of it an
 * acquire; C lets the reader see the message late. */
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
    if (atomic_load_explicit(&flag, memory_order_consume))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    pthread_join(thread, 0);
    return 0;
}
