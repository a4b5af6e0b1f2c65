/* On one of two ways the last id has its place already, and is written over another one. That is
 * undefined, and nothing is proven. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int done;

void *worker(void *arg)
{
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t last, ids[2];
    int i, both = __VERIFIER_nondet_int();
    for (i = 0; i < 2; i++) {
        pthread_create(&last, 0, worker, 0);
        if (i == 1 && !both)
            goto store;
        ids[i] = last;
        if (i == 1)
            goto again;
    }
    return 0;
again:
    i = 0;
store:
    ids[i] = last;
    for (i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    done++;
    return 0;
}
