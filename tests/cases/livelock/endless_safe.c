/* A loop without a way out is meant to run for ever; a check in it that may abort is no way out. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int count;

void *serves(void *arg)
{
    for (;;) {
        int seen = atomic_load(&count);
        if (seen > 1)
            abort();
        atomic_store(&count, !seen);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, serves, 0);
    pthread_join(t, 0);
    return 0;
}
