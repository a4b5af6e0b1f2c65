/* A byte that two threads bring to zero. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
unsigned char low;
int all;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    low++;
    assert(low > 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    low = 254;
    all = __VERIFIER_nondet_int();
    if (all > 2)
        return 0;
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
