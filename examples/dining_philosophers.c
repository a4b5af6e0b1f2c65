// Three philosophers, three forks.
//   obmc check examples/dining_philosophers.c              SAFE
//   obmc check examples/dining_philosophers.c -DBROKEN     UNSAFE: all reach left
#include <pthread.h>

#define SEATS 3

pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};

static void eat(int seat)
{
    int one = seat, other = (seat + 1) % SEATS;
#ifndef BROKEN
    if (one > other) { // always the lower fork first
        one = other;
        other = seat;
    }
#endif
    pthread_mutex_lock(&forks[one]);
    pthread_mutex_lock(&forks[other]);
    pthread_mutex_unlock(&forks[other]);
    pthread_mutex_unlock(&forks[one]);
}

void *philosopher(void *arg)
{
    eat((int)(long)arg);
    return 0;
}

int main(void)
{
    pthread_t t[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], 0);
    return 0;
}
