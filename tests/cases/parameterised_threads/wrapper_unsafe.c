/* The functions lock another mutex each time. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct guard {
    pthread_mutex_t m;
    int uses;
};

struct guard g[2];
int data;

static void enter(struct guard *guard)
{
    pthread_mutex_lock(&guard->m);
    guard->uses++;
}

static void leave(struct guard *guard)
{
    pthread_mutex_unlock(&guard->m);
}

void *worker(void *arg)
{
    enter(&g[1]);
    data++;
    leave(&g[1]);
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    enter(&g[0]);
    data++;
    leave(&g[0]);
    return 0;
}
