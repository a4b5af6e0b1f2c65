#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { struct node *next; int value; };
static struct node nodes[2];
static _Atomic(struct node *) top;
static void *push(void *arg) {
    struct node *n = arg;
    struct node *old = top;
    do
        n->next = old;
    while (top = n, 0);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, &nodes[0]);
    pthread_create(&b, 0, push, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int n = 0;
    for (struct node *p = top; p && n < 3; p = p->next)
        n++;
    assert(n == 2);
    return 0;
}
