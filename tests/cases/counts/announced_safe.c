/* Each thread is announced before it is started. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int active;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(active > 0);
    active--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        active++;
        pthread_mutex_unlock(&m);
        pthread_create(&id, 0, worker, 0);
    }
    return 0;
}
