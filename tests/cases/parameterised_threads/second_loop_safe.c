/* The second loop goes over elements that no thread uses. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data[16], copy[16];

void *worker(void *arg)
{
    int *mine = arg;
    *mine += 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    int i, n = __VERIFIER_nondet_int();
    if (n > 16)
        return 0;
    for (i = 0; i < n; i++)
        pthread_create(&id, 0, worker, &data[i]);
    for (i = 0; i < n; i++)
        copy[i] = 1;
    return 0;
}
