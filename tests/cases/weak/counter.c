/* Read-modify-writes lose nothing, however relaxed, and joining is enough to see them. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *one(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return 0;
}

void *two(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load_explicit(&count, memory_order_relaxed) == 2);
    return 0;
}
