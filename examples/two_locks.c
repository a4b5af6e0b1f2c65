//   obmc check examples/two_locks.c     UNSAFE: opposite orders
#include <pthread.h>

pthread_mutex_t fork_left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork_right = PTHREAD_MUTEX_INITIALIZER;

void *philosopher(void *unused)
{
    pthread_mutex_lock(&fork_right);
    pthread_mutex_lock(&fork_left);
    pthread_mutex_unlock(&fork_left);
    pthread_mutex_unlock(&fork_right);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, philosopher, 0);
    pthread_mutex_lock(&fork_left);
    pthread_mutex_lock(&fork_right);
    pthread_mutex_unlock(&fork_right);
    pthread_mutex_unlock(&fork_left);
    pthread_join(other, 0);
    return 0;
}
