// What one thread alone writes is known to itself, to threads that it starts later, and to whoever joins it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int size;
int picked[2];
atomic_int owner;
_Atomic(int *) slots;

void *inner(void *arg)
{
    assert(size == 3 && atomic_load_explicit(&owner, memory_order_relaxed) == 7);
    return 0;
}

void *worker(void *arg)
{
    int i = (int)(long)arg;
    pthread_t t;
    picked[i] = i + 1;
    int *mine = atomic_load_explicit(&slots, memory_order_relaxed);
    mine[(i + 1) % size] = i;
    assert(picked[i] == i + 1);
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    size = 2;
    size = 3;
    atomic_store_explicit(&owner, 7, memory_order_relaxed);
    atomic_store_explicit(&slots, malloc(size * sizeof(int)), memory_order_relaxed);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(picked[0] == 1 && picked[1] == 2);
    return 0;
}
