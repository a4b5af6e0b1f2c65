/* A spin with sched_yield whose flag is reset by the same thread that sets it. */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

atomic_int ready;

void *waits(void *arg)
{
    while (atomic_load(&ready) != 1)
        sched_yield();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    atomic_store(&ready, 1);
    atomic_store(&ready, 0); /* the other one may not have looked */
    pthread_join(t, 0);
    return 0;
}
