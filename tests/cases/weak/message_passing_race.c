/* Plain data that nothing hands over: undefined in C11. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *one(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}

void *two(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        assert(data == 1);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
