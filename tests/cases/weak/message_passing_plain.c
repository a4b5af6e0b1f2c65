/* Plain data, handed over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *one(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

void *two(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
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
