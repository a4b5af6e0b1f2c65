// The other thread spins for ever while main holds what it waits for: it runs, so this is no deadlock.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
atomic_int taken = 1;

void *other(void *arg)
{
    (void)arg;
    int free = 0;
    while (!atomic_compare_exchange_strong(&taken, &free, 1))
        free = 0;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_join(t, 0);
    pthread_mutex_unlock(&a);
    return 0;
}
