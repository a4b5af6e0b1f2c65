/* A block is published before its pointer is visible: what it holds until then may be any address. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(int *) place;
};

int here, there;
_Atomic(struct node *) published;

void *writer(void *p)
{
    struct node *node = malloc(sizeof *node);
    atomic_store_explicit(&node->place, &there, memory_order_relaxed);
    atomic_store_explicit(&published, node, memory_order_relaxed);
    return p;
}

void *reader(void *p)
{
    struct node *node = atomic_load_explicit(&published, memory_order_relaxed);
    if (node) {
        int *place = atomic_load_explicit(&node->place, memory_order_relaxed);
        assert(place != &here);
    }
    return p;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
