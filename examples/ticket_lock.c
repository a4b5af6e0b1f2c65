// A ticket lock: take a number, wait until it is called.
//   obmc check examples/ticket_lock.c              SAFE
//   obmc check examples/ticket_lock.c -DBROKEN     UNSAFE: two customers get the same number
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket;
atomic_uint now_serving;
int counter;

static void lock(void)
{
#ifdef BROKEN
    unsigned mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
#else
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
#endif
    while (atomic_load(&now_serving) != mine)
        ;
}

static void unlock(void)
{
    atomic_fetch_add(&now_serving, 1);
}

void *worker(void *unused)
{
    lock();
    counter++;
    unlock();
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(counter == 3);
    return 0;
}
