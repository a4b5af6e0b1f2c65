/* DPDK: the ring, two producers and one consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <rte_ring.h>

static struct rte_ring *ring;

static void *put(void *value)
{
    assert(rte_ring_mp_enqueue(ring, value) == 0);
    return 0;
}

int main(void)
{
    static int one, two;
    pthread_t other;
    ring = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof *ring + 4 * sizeof(void *));
    if (!ring || rte_ring_init(ring, "ours", 4, 0))
        return 0;
    pthread_create(&other, 0, put, &one);
    put(&two);
    void *first = 0, *second = 0;
    assert(rte_ring_mc_dequeue(ring, &first) == 0);
    pthread_join(other, 0);
    assert(rte_ring_mc_dequeue(ring, &second) == 0);
    assert(first != second);
    free(ring);
    return 0;
}
