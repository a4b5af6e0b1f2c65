/* A Treiber stack that frees what another thread still reads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct stack {
    _Atomic(struct node *) top;
    int size;
};

struct stack stack;

static void push(struct stack *s, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->value = value;
    struct node *old = atomic_load(&s->top);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&s->top, &old, n));
}

static int pop(struct stack *s)
{
    struct node *old = atomic_load(&s->top), *next;
    do {
        if (!old)
            return -1;
        next = old->next;
    } while (!atomic_compare_exchange_weak(&s->top, &old, next));
    int value = old->value;
    free(old);
    return value;
}

static void *worker(void *arg)
{
    push(&stack, (int)(long)arg);
    pop(&stack);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
