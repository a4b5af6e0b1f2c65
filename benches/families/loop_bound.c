// A thread counts, at most N rounds, until another one stops it. What it counts never falls.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 8
#endif
atomic_int stop, rounds;

void *count(void *unused)
{
    for (int i = 0; i < N; i++) {
        if (atomic_load(&stop))
            break;
        atomic_store(&rounds, i + 1);
    }
    return 0;
}

int main(void)
{
    pthread_t counting;
    pthread_create(&counting, 0, count, 0);
    int before = atomic_load(&rounds);
    atomic_store(&stop, 1);
    pthread_join(counting, 0);
    int after = atomic_load(&rounds);
    assert(before <= after && after <= N);
    return 0;
}
