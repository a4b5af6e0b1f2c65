/* Three threads push and pop: a node belongs to who has popped it, so what is in it is nobody else's. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    int owners;
};

static _Atomic(struct node *) top;
static struct node nodes[3];

static void *work(void *arg)
{
    struct node *n = arg, *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
    old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    assert(old);
    old->owners++;
    assert(old->owners == 1);
    return 0;
}

int main(void)
{
    pthread_t ids[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], 0, work, &nodes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], 0);
    assert(nodes[0].owners + nodes[1].owners + nodes[2].owners == 3);
    return 0;
}
