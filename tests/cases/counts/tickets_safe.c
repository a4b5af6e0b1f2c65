/* Nobody gets a ticket that there is not. */
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

int main(void)
{
    pthread_t id;
    all = __VERIFIER_nondet_int();
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
