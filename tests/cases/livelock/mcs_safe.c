/* An MCS lock with the hand-over that it needs. */
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

struct node nodes[2];
_Atomic(struct node *) tail;
int shared;

void lock(struct node *me)
{
    atomic_store(&me->next, 0);
    atomic_store(&me->waits, 1);
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->waits))
            ;
    }
}

void unlock(struct node *me)
{
    struct node *after = atomic_load(&me->next);
    if (!after) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return;
        while (!(after = atomic_load(&me->next)))
            ;
    }
    atomic_store(&after->waits, 0);
}

void *works(void *arg)
{
    struct node *me = arg;
    lock(me);
    shared++;
    unlock(me);
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
