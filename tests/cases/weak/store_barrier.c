/* Store buffering with a barrier between store and load that orders stores only: no fence of C is like that. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;

void *one(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    __asm__ volatile("dmb ishst" ::: "memory");
    first = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

void *two(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    __asm__ volatile("dmb ishst" ::: "memory");
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
    return 0;
}
