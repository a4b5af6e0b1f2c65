/* A thread spins for ever while it holds the lock that another one waits for. */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int flag;

void *sets(void *arg)
{
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, sets, 0);
    pthread_mutex_lock(&m);
    while (!flag)
        ;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
