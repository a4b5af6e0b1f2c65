/* The creator goes on using the block. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

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
        *data = i;
        pthread_create(&id, 0, worker, data);
        *data = 1;
    }
    return 0;
}
