/* All threads have come, and then all have gone. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data, inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    inside++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&d);
    data++;
    pthread_mutex_unlock(&d);
    pthread_mutex_lock(&m);
    inside--;
    pthread_cond_signal(&c);
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
    while (inside != n)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    while (inside)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return data;
}
