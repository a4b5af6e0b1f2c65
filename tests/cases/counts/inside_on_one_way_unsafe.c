/* A thread comes in twice if it forgets to leave. */
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
        if (__VERIFIER_nondet_int())
            inside--;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t id;
    all = 1;
    for (int i = 0; i < all; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
