/* N threads each push and pop K times on a stack of Treiber: what is popped was pushed, once. */
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
    struct node *next;
    int popped;
};

static _Atomic(struct node *) top;
static struct node nodes[N * K];

static void push(struct node *n)
{
    struct node *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
    return old;
}

static void *work(void *arg)
{
    struct node *mine = arg;
    for (int i = 0; i < K; i++) {
        push(&mine[i]);
        struct node *n = pop();
        assert(n && !n->popped);
        n->popped = 1;
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
    assert(!atomic_load(&top));
    return 0;
}
