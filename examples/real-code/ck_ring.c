/* Concurrency kit: a single-producer single-consumer ring. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int value = 7;

static void *produce(void *unused)
{
    ck_ring_enqueue_spsc(&ring, buffer, &value);
    return 0;
}

int main(void)
{
    pthread_t producer;
    void *got;
    ck_ring_init(&ring, 4);
    pthread_create(&producer, 0, produce, 0);
    if (ck_ring_dequeue_spsc(&ring, buffer, &got))
        assert(got == &value && *(int *)got == 7);
    pthread_join(producer, 0);
    return 0;
}
