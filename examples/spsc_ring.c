// A ring buffer for one producer and one consumer, without a lock.
//   obmc check examples/spsc_ring.c              SAFE
//   obmc check examples/spsc_ring.c -DBROKEN     UNSAFE: announces the item before it is there
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

int slots[SIZE];
atomic_uint head; // next to read
atomic_uint tail; // next to write

static int put(int value)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
#ifdef BROKEN
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    slots[at % SIZE] = value;
#else
    slots[at % SIZE] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
#endif
    return 1;
}

static int get(int *value)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *value = slots[at % SIZE];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return 1;
}

void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    for (int i = 1; i <= ITEMS; i++) {
        int value;
        while (!get(&value))
            ;
        assert(value == i); // in order, none lost, none twice
    }
    pthread_join(t, 0);
    return 0;
}
