/* A thread counts out after its last access. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data, inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    inside++;
    pthread_mutex_unlock(&m);
    __atomic_fetch_add(&data, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&m);
    inside--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        pthread_create(&id, 0, worker, 0);
    pthread_mutex_lock(&m);
    while (inside != n) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    while (inside != 0) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    data = 0;
    return 0;
}
