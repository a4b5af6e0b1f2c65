/* Who tries only once may not have pushed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { int value; struct node *next; };
static struct node *_Atomic top;
static struct node nodes[2] = { { 1 }, { 2 } };
static void *pushes(void *arg)
{
    struct node *node = arg;
    struct node *seen = atomic_load(&top);

        node->next = seen;
    atomic_compare_exchange_weak(&top, &seen, node);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pushes, &nodes[0]);
    pthread_create(&b, 0, pushes, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *first = top;
    assert(first && first->next);
    assert(first->value + first->next->value == 3);
    assert(first->next->next == 0);
    return 0;
}
