// Each thread holds its mutex when it has seen, through a spin loop, that the other does.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;

void *other(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&b);
    while (atomic_load_explicit(&ready, memory_order_relaxed) == 0)
        ;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
