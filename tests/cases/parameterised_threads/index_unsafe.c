/* Two threads share an element. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *data;

void *worker(void *arg)
{
    int i = (int)(long)arg;
    data[i / 2] = i;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    data = malloc(n * sizeof(int));
    pthread_t *ids = malloc(n * sizeof(pthread_t));
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], 0, worker, (void *)(long)i);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], 0);
    free(data);
    return 0;
}
