/* The id of the last worker is written over those of the others, so only that one is joined. That
 * is undefined, and nothing is proven. */
#include <pthread.h>

int done;

void *worker(void *arg)
{
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t last, ids[2];
    int i;
    for (i = 0; i < 2; i++) {
        pthread_create(&last, 0, worker, 0);
        ids[i] = last;
        if (i == 1)
            break;
    }
    for (i = 0; i < 2; i++)
        ids[i] = last;
    for (i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    done++;
    return 0;
}
