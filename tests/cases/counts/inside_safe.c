/* Threads that come and go, as often as they like: there are never more inside than threads. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int all, inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        inside++;
        assert(inside <= all);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        assert(inside > 0);
        inside--;
        pthread_mutex_unlock(&m);
    }
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
