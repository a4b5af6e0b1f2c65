/* Release and acquire do not order a store before a load; LDAR of Armv8 does, LDAPR does not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;

void *one(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    first = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

void *two(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    second = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 1 || second == 1);
    return 0;
}
