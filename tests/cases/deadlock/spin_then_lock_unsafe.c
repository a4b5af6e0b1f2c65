// Both threads have left their spin loops when they block each other.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int started, taken;

void *other(void *arg)
{
    (void)arg;
    while (!started)
        ;
    pthread_mutex_lock(&b);
    int free = 0;
    while (!atomic_compare_exchange_strong(&taken, &free, 1))
        free = 0;
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
    started = 1;
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
