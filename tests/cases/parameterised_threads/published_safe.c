/* The address of a block is known to its thread only. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *last;

void *worker(void *arg)
{
    int *mine = arg;
    *mine = 2;
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int *data = malloc(sizeof(int));
        pthread_create(&id, 0, worker, data);
    }
    return 0;
}
