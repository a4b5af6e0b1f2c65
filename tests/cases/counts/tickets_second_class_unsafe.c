/* A second kind of thread takes tickets, too. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int all, next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(next < all);
    int ticket = next++;
    pthread_mutex_unlock(&m);
    assert(ticket >= 0 && ticket < all);
    return 0;
}

void *other(void *arg)
{
    pthread_mutex_lock(&m);
    next++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    all = 1;
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    pthread_create(&id, 0, other, 0);
    return 0;
}
