/* The loop that joins begins one too late. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    pthread_t *ids = malloc(n * sizeof(pthread_t));
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], 0, worker, 0);
    for (int i = 1; i < n; i++)
        pthread_join(ids[i], 0);
    count = 0;
    return 0;
}
