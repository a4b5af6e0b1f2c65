// To take a lock is a read-modify-write, which is a full fence on x86.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *left(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_mutex_lock(&m);
    first = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

void *right(void *arg)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_mutex_lock(&n);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
    return 0;
}
