/* Each thread asks a variable of its own whether to lock. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

__thread int careful;
int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    careful = 1;
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
    return 0;
}
