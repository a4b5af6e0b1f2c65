/* A thread that leaves twice: the number of active ones gets below zero. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int all, active;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    active--;
    active--;
    assert(active >= 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    all = 1;
    active = all;
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
