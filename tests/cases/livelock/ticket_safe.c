/* A ticket lock that serves every ticket. */
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int shared;

void lock(void)
{
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
}

void unlock(void)
{
    atomic_fetch_add(&serving, 1);
}

void *works(void *arg)
{
    lock();
    shared++;
    unlock();
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, works, 0);
    pthread_create(&t, 0, works, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
