// The list has an end.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
} *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void add(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
}

static void *walk(void *arg)
{
    pthread_mutex_lock(&m);
    for (struct node *n = head; n; n = n->next)
        sum += n->value;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, walk, 0);
    add(1);
    pthread_join(t, 0);
    return 0;
}
