/* A spin lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int count;
atomic_flag lock = ATOMIC_FLAG_INIT;

void *one(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    count++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return 0;
}

void *two(void *unused)
{
    return one(unused);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
