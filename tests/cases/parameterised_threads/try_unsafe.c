/* The data is also used where the lock was not got. */
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
    } else {
        data = 0;
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
