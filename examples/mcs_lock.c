// The queue lock of Mellor-Crummey and Scott: every waiter spins on its own node.
//   obmc check examples/mcs_lock.c              SAFE
//   obmc check examples/mcs_lock.c -DBROKEN     UNSAFE: joins the queue in two steps
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int locked;
};

struct node *_Atomic tail;
int inside;

static void lock(struct node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->locked, 1);
#ifdef BROKEN
    struct node *before = atomic_load(&tail);
    atomic_store(&tail, me);
#else
    struct node *before = atomic_exchange(&tail, me);
#endif
    if (before != NULL) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->locked))
            ;
    }
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load(&me->next);
    if (after == NULL) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while ((after = atomic_load(&me->next)) == NULL)
            ;
    }
    atomic_store(&after->locked, 0);
}

struct node nodes[2];

void *worker(void *arg)
{
    struct node *me = arg;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(me);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, &nodes[0]);
    pthread_create(&b, 0, worker, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
