/* Each thread gets the address of its element. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

void *worker(void *arg)
{
    int *mine = arg;
    mine[0] = 1;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int *data = malloc((n + 1L) * sizeof(int));
    pthread_t *ids = malloc(n * sizeof(pthread_t));
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], 0, worker, &data[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], 0);
    free(data);
    return 0;
}
