/* The data is used only where the lock was got. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0) {
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
