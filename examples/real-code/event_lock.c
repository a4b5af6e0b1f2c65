/* libevent: its locks and conditions between two threads. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include "event2/thread.h"
#include "evthread-internal.h"

static void *lock, *changed;
static int value;

static void *produce(void *unused)
{
    EVLOCK_LOCK(lock, 0);
    value = 1;
    EVTHREAD_COND_SIGNAL(changed);
    EVLOCK_UNLOCK(lock, 0);
    return unused;
}

int main(void)
{
    pthread_t other;
    if (evthread_use_pthreads())
        return 0;
    EVTHREAD_ALLOC_LOCK(lock, EVTHREAD_LOCKTYPE_RECURSIVE);
    EVTHREAD_ALLOC_COND(changed);
    if (!lock || !changed)
        return 0;
    pthread_create(&other, 0, produce, 0);
    EVLOCK_LOCK(lock, 0);
    while (!value)
        EVTHREAD_COND_WAIT(changed, lock);
    EVLOCK_UNLOCK(lock, 0);
    pthread_join(other, 0);
    assert(value == 1);
    EVTHREAD_FREE_LOCK(lock, EVTHREAD_LOCKTYPE_RECURSIVE);
    EVTHREAD_FREE_COND(changed);
    return 0;
}
