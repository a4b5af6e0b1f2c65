/* N threads each take a ticket lock K times and add one to a counter. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif

static atomic_uint next, serving;
static int counter;

static void *work(void *arg)
{
    for (int i = 0; i < K; i++) {
        unsigned mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine)
            ;
        counter++;
        atomic_store(&serving, mine + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t ids[N];
    for (int i = 0; i < N; i++)
        pthread_create(&ids[i], 0, work, 0);
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    assert(counter == N * K);
    return 0;
}
