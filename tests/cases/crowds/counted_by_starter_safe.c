/* The starter counts each thread before it starts it. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data, running;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *worker(void *arg)
{
    __atomic_fetch_add(&data, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&m);
    running--;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        running++;
        pthread_mutex_unlock(&m);
        pthread_create(&id, 0, worker, 0);
    }
    pthread_mutex_lock(&m);
    while (running)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    data = 0;
    return 0;
}
