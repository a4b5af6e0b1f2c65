// A thread writes N values to one cell; two readers each see them in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 8
#endif
atomic_int cell;

void *write_all(void *unused)
{
    for (int i = 1; i <= N; i++)
        atomic_store(&cell, i);
    return 0;
}

void *read_twice(void *unused)
{
    int first = atomic_load(&cell);
    int second = atomic_load(&cell);
    assert(first <= second);
    return 0;
}

int main(void)
{
    pthread_t writer, a, b;
    pthread_create(&writer, 0, write_all, 0);
    pthread_create(&a, 0, read_twice, 0);
    pthread_create(&b, 0, read_twice, 0);
    return 0;
}
