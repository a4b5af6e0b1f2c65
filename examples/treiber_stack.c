// Treiber's stack: push and pop by compare-and-swap on the top.
//   obmc check examples/treiber_stack.c              SAFE
//   obmc check examples/treiber_stack.c -DBROKEN     UNSAFE: pop trusts an old top, and both get it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct node *_Atomic top;
struct node nodes[2];
int popped[2];

static void push(struct node *node)
{
    struct node *old = atomic_load(&top);
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&top);
#ifdef BROKEN
    if (old != NULL)
        atomic_store(&top, old->next);
#else
    while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
#endif
    return old;
}

void *worker(void *arg)
{
    int me = arg != 0;
    struct node *node = pop();
    popped[me] = node->value; // both find one: two were pushed
    return 0;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < 2; i++) {
        nodes[i].value = i + 1;
        push(&nodes[i]);
    }
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(popped[0] != popped[1]);
    assert(atomic_load(&top) == NULL);
    return 0;
}
