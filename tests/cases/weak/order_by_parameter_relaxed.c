/* Functions that hand on the order of an atomic access: one is too weak. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

static void set(atomic_int *place, int value, memory_order order)
{
    atomic_store_explicit(place, value, order);
}

static int get(atomic_int *place, memory_order order)
{
    return atomic_load_explicit(place, order);
}

void *writer(void *unused)
{
    data = 1;
    set(&flag, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    if (get(&flag, memory_order_acquire)) {
        assert(data == 1);
    }
    pthread_join(thread, 0);
    return 0;
}
