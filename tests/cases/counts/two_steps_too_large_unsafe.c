/* The second step is larger than the check allows. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int all, sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    sum += 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    sum += 2;
    assert(sum <= 3 * all);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    all = 1;
    if (all > 1000)
        return 0;
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
