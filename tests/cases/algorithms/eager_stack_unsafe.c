/* As eager_stack_safe.c, but who pops does not take the node in one step: two threads can have it. */
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
    if (old) {
        atomic_store(&top, old->next);
        old->owners++;
        assert(old->owners == 1);
    }
    return 0;
}

int main(void)
{
    pthread_t ids[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], 0, work, &nodes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], 0);
    return 0;
}
