/* One producer and one consumer pass N numbers through a ring of two cells, in order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#define SIZE 2

static atomic_uint head, tail;
static int cells[SIZE];

static void *produce(void *arg)
{
    for (int i = 1; i <= N; i++) {
        unsigned t = atomic_load(&tail);
        while (t - atomic_load(&head) == SIZE)
            ;
        cells[t % SIZE] = i;
        atomic_store(&tail, t + 1);
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 1; i <= N; i++) {
        unsigned h = atomic_load(&head);
        while (atomic_load(&tail) == h)
            ;
        int value = cells[h % SIZE];
        assert(value == i);
        atomic_store(&head, h + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, 0, produce, 0);
    pthread_create(&consumer, 0, consume, 0);
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
    return 0;
}
