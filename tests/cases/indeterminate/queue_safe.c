// The dummy node is the last one at first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *_Atomic next;
};
struct node *_Atomic head, *_Atomic tail;

static void *put(void *arg)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = 0;
    struct node *t = tail;
    t->next = n;
    tail = n;
    return arg;
}

static void *take(void *arg)
{
    struct node *h = head;
    struct node *n = h->next;
    if (n) {
        head = n;
        assert(n->value == 1);
        free(h);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    struct node *dummy = malloc(sizeof *dummy);
    dummy->next = 0;
    head = dummy;
    tail = dummy;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
