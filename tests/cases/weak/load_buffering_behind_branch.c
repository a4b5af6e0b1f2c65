/* A branch orders what follows it, also where the ways have met again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int first, second;

void *one(void *unused)
{
    first = atomic_load_explicit(&x, memory_order_relaxed);
    int which = 1;
    if (first)
        which = 2;
    atomic_load_explicit(&z, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return which == 0 ? &x : 0;
}

void *two(void *unused)
{
    second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 0 || second == 0);
    return 0;
}
