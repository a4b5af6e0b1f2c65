// Peterson's lock without end: who writes the turn by an exchange knows of the other one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;

static void lock_and_unlock(int me)
{
    int other = 1 - me;
    for (;;) {
        atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
        atomic_exchange_explicit(&turn, other, memory_order_acq_rel);
        while (atomic_load_explicit(&wants[other], memory_order_acquire)
               && atomic_load_explicit(&turn, memory_order_acquire) == other) {
        }
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        atomic_store_explicit(&wants[me], 0, memory_order_release);
    }
}

void *left(void *p)
{
    lock_and_unlock(0);
    return p;
}

void *right(void *p)
{
    lock_and_unlock(1);
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, left, 0);
    pthread_create(&t, 0, right, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
