/* The address of a block is stored where all threads read it. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *last;

void *worker(void *arg)
{
    int *mine = arg;
    *mine = 2;
    int *other = __atomic_load_n(&last, __ATOMIC_SEQ_CST);
    if (other)
        *other = 3;
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int *data = malloc(sizeof(int));
        __atomic_store_n(&last, data, __ATOMIC_SEQ_CST);
        pthread_create(&id, 0, worker, data);
    }
    return 0;
}
