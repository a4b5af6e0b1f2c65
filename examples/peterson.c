// Peterson's lock: two threads, one flag each, and a tie-breaker.
//   obmc check examples/peterson.c              SAFE
//   obmc check examples/peterson.c -DBROKEN     UNSAFE: neither says "after you"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
int inside; // how many are in the critical section

static void lock(int me)
{
    atomic_store(&wants[me], 1);
#ifndef BROKEN
    atomic_store(&turn, 1 - me);
#endif
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) != me)
        ;
}

static void unlock(int me)
{
    atomic_store(&wants[me], 0);
}

void *worker(void *arg)
{
    int me = arg != 0;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(me);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
