/* Each round counts before it joins: the first thread is left out. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int done;

void *worker(void *arg)
{
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t ids[8];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 7)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], 0, worker, 0);
    int j = 0;
    while (j < n) {
        j++;
        if (j < n)
            pthread_join(ids[j], 0);
    }
    done = 2;
    return 0;
}
