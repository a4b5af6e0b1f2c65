/* N threads each enqueue K times and dequeue K times at a queue of Michael and Scott: nothing is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 1
#endif

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node first, nodes[N * K];
static _Atomic(struct node *) head = &first, tail = &first;
static atomic_int taken[N * K];

static void enqueue(struct node *n)
{
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *old = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&old->next);
        if (old == last) {
            if (!next)
                return -1;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (next) {
            int value = next->value;
            if (atomic_compare_exchange_strong(&head, &old, next))
                return value;
        }
    }
}

static void *work(void *arg)
{
    struct node *mine = arg;
    for (int i = 0; i < K; i++) {
        mine[i].value = (int)(mine - nodes) + i;
        enqueue(&mine[i]);
        int value = dequeue();
        assert(value >= 0);
        assert(atomic_fetch_add(&taken[value], 1) == 0);
    }
    return 0;
}

int main(void)
{
    pthread_t ids[N];
    for (int i = 0; i < N; i++)
        pthread_create(&ids[i], 0, work, &nodes[i * K]);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    assert(dequeue() == -1);
    return 0;
}
