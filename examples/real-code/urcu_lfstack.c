/* liburcu: the lock-free stack, two pushes at the same time. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct __cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void *push(void *node)
{
    cds_lfs_push(&stack, node);
    return 0;
}

int main(void)
{
    pthread_t other;
    __cds_lfs_init(&stack);
    for (int i = 0; i < 2; i++)
        cds_lfs_node_init(&nodes[i]);
    pthread_create(&other, 0, push, &nodes[1]);
    push(&nodes[0]);
    pthread_join(other, 0);
    struct cds_lfs_node *first = __cds_lfs_pop(&stack), *second = __cds_lfs_pop(&stack);
    assert(first && second && first != second && !__cds_lfs_pop(&stack));
    return 0;
}
