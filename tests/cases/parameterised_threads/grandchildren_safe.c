/* A child and its children count under one lock. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void count(void)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
}

void *grandchild(void *arg)
{
    count();
    return 0;
}

void *child(void *arg)
{
    pthread_t id;
    pthread_create(&id, 0, grandchild, 0);
    count();
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, child, 0);
    pthread_join(id, 0);
    count();
    return 0;
}
