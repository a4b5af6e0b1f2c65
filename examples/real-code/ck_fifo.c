/* Concurrency kit: a single-producer single-consumer queue hands over two values in order. */
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t first, entries[2];
static int values[2] = { 1, 2 };

static void *produce(void *unused)
{
    for (int i = 0; i < 2; i++)
        ck_fifo_spsc_enqueue(&fifo, &entries[i], &values[i]);
    return 0;
}

int main(void)
{
    pthread_t producer;
    int last = 0;
    ck_fifo_spsc_init(&fifo, &first);
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < 2; i++) {
        int *value;
        if (ck_fifo_spsc_dequeue(&fifo, &value)) {
            assert(*value == last + 1);
            last = *value;
        }
    }
    pthread_join(producer, 0);
    return 0;
}
