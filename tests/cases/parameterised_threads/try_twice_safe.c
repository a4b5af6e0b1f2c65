/* A result is looked at once. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int failed = pthread_mutex_trylock(&m);
    if (!failed) {
        data++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    return 0;
}
