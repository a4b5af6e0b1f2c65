// N threads each add one to a counter in a compare-and-swap loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
atomic_int counter;

void *add(void *unused)
{
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1))
        ;
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter == N);
    return 0;
}
