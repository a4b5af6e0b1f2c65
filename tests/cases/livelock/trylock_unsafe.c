/* Two threads step back for each other; one keeps its first lock while it tries again. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    while (pthread_mutex_trylock(second)) {
        
    }
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *one(void *arg)
{
    both(&a, &b);
    return 0;
}

void *other(void *arg)
{
    both(&b, &a);
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
