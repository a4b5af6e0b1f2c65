/* N threads each take a queue lock of Mellor-Crummey and Scott K times and add one to a counter. */
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
    atomic_int locked;
};

static _Atomic(struct node *) tail;
static struct node nodes[N];
static int counter;

static void lock(struct node *me)
{
    atomic_store(&me->next, 0);
    atomic_store(&me->locked, 1);
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->locked))
            ;
    }
}

static void unlock(struct node *me)
{
    struct node *after = atomic_load(&me->next);
    if (!after) {
        struct node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return;
        while (!(after = atomic_load(&me->next)))
            ;
    }
    atomic_store(&after->locked, 0);
}

static void *work(void *arg)
{
    for (int i = 0; i < K; i++) {
        lock(arg);
        counter++;
        unlock(arg);
    }
    return 0;
}

int main(void)
{
    pthread_t ids[N];
    for (int i = 0; i < N; i++)
        pthread_create(&ids[i], 0, work, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    assert(counter == N * K);
    return 0;
}
