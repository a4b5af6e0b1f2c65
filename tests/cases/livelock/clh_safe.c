/* A CLH lock that takes over its predecessor's node. */
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int locked;
};

struct node first, nodes[2];
_Atomic(struct node *) tail = &first;

void lock(struct node *me, struct node **before)
{
    atomic_store(&me->locked, 1);
    *before = atomic_exchange(&tail, me);
    while (atomic_load(&(*before)->locked))
        ;
}

void *works(void *arg)
{
    struct node *me = arg, *before;
    for (int i = 0; i < 2; i++) {
        lock(me, &before);
        atomic_store(&me->locked, 0);
        me = before;
    }
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, works, &nodes[0]);
    pthread_create(&t, 0, works, &nodes[1]);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
