// Of a block from malloc one member is set, and its lock is not.
#include <pthread.h>
#include <stdlib.h>
struct counter {
    int value;
    pthread_mutex_t m;
};
static void *add(void *arg)
{
    struct counter *c = arg;
    pthread_mutex_lock(&c->m);
    c->value++;
    pthread_mutex_unlock(&c->m);
    return 0;
}
int main(void)
{
    struct counter *c = malloc(sizeof *c);
    c->value = 0;
    pthread_t t;
    pthread_create(&t, 0, add, c);
    add(c);
    pthread_join(t, 0);
    free(c);
    return 0;
}
