/* liburcu: the wait-free concurrent queue, two enqueuers and a dequeuer. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void *put(void *node)
{
    cds_wfcq_enqueue(&head, &tail, node);
    return 0;
}

int main(void)
{
    pthread_t other;
    cds_wfcq_init(&head, &tail);
    for (int i = 0; i < 2; i++)
        cds_wfcq_node_init(&nodes[i]);
    pthread_create(&other, 0, put, &nodes[1]);
    put(&nodes[0]);
    pthread_join(other, 0);
    struct cds_wfcq_node *first = __cds_wfcq_dequeue_nonblocking(&head, &tail);
    struct cds_wfcq_node *second = __cds_wfcq_dequeue_nonblocking(&head, &tail);
    assert(first && second && first != second);
    return 0;
}
