/* A ring whose producer publishes a slot before it is filled. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>

#define SIZE 2

struct slot {
    atomic_uint seq;
    void *data;
};

struct ring {
    struct slot slots[SIZE];
    atomic_uint head, tail;
};

static struct ring *ring;

static int put(struct ring *r, void *data)
{
    unsigned pos = atomic_load(&r->tail);
    for (;;) {
        struct slot *s = &r->slots[pos % SIZE];
        unsigned seq = atomic_load(&s->seq);
        int diff = (int)(seq - pos);
        if (diff == 0) {
            if (atomic_compare_exchange_strong(&r->tail, &pos, pos + 1)) {
                atomic_store(&s->seq, pos + 1);
                s->data = data;         /* too late */
                return 1;
            }
        } else if (diff < 0) {
            return 0;
        } else {
            pos = atomic_load(&r->tail);
        }
    }
}

static void *get(struct ring *r)
{
    unsigned pos = atomic_load(&r->head);
    for (;;) {
        struct slot *s = &r->slots[pos % SIZE];
        unsigned seq = atomic_load(&s->seq);
        int diff = (int)(seq - (pos + 1));
        if (diff == 0) {
            if (atomic_compare_exchange_strong(&r->head, &pos, pos + 1)) {
                void *data = s->data;
                atomic_store(&s->seq, pos + SIZE);
                return data;
            }
        } else if (diff < 0) {
            return NULL;
        } else {
            pos = atomic_load(&r->head);
        }
    }
}

static void *producer(void *arg)
{
    int *item = malloc(sizeof(int));
    if (!item)
        abort();
    *item = 7;
    put(ring, item);
    return NULL;
}

int main(void)
{
    pthread_t t;
    ring = malloc(sizeof *ring);
    if (!ring)
        abort();
    for (unsigned i = 0; i < SIZE; i++) {
        atomic_init(&ring->slots[i].seq, i);
        ring->slots[i].data = NULL;
    }
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    pthread_create(&t, NULL, producer, NULL);
    int *item = get(ring);
    if (item)
        assert(*item == 7);
    pthread_join(t, NULL);
    free(ring);
    return 0;
}
