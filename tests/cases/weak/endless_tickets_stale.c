// Tickets of one bit that are taken without acquiring. A thread that has not heard of the others for two tickets
// may see an old number as its own. (With 32 bits the same takes 2^32 tickets: no proof, either.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct lock {
    atomic_uint next, serving;
} lock;
int inside;

static unsigned take(struct lock *l)
{
    unsigned ticket = atomic_fetch_xor_explicit(&l->next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&l->serving, memory_order_acquire) != ticket) {
    }
    return ticket;
}

static void give(struct lock *l, unsigned ticket)
{
    atomic_store_explicit(&l->serving, ticket ^ 1, memory_order_release);
}

void *worker(void *arg)
{
    for (;;) {
        unsigned ticket = take(&lock);
        inside++;
        assert(inside == 1);
        inside--;
        give(&lock, ticket);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
