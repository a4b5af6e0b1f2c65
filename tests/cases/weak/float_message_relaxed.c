// As in float_message, but nothing is released.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

double data;
atomic_int ready;

void *send(void *unused)
{
    data = 0.5;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

void *receive(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data + data == 1.0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
