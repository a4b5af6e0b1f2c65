// Dekker's lock, the first correct one: who must yield takes the flag down and waits for the turn.
//   obmc check examples/dekker.c              SAFE
//   obmc check examples/dekker.c -DBROKEN     UNSAFE: looks first and raises the flag later
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
int inside;

static void lock(int me)
{
#ifdef BROKEN
    while (atomic_load(&wants[1 - me]))
        ;
    atomic_store(&wants[me], 1);
#else
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[1 - me])) {
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&wants[me], 1);
        }
    }
#endif
}

static void unlock(int me)
{
    atomic_store(&turn, 1 - me);
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
