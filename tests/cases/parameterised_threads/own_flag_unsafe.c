/* All threads ask one variable, which the creator changes. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

_Atomic int careful;
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    if (careful)
        pthread_mutex_lock(&m);
    data++;
    if (careful)
        pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    careful = 1;
    return 0;
}
