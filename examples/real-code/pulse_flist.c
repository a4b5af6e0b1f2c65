/* PulseAudio: the lock-free list of unused blocks, two threads that put one and take one. */
#include <assert.h>
#include <pthread.h>
#include <config.h>
#include <pulsecore/flist.h>

static pa_flist *list;
static int blocks[2];
static void *taken[2];

static void *exchange(void *index)
{
    long i = (long)index;
    if (pa_flist_push(list, &blocks[i]) == 0)
        taken[i] = pa_flist_pop(list);
    return 0;
}

int main(void)
{
    pthread_t other;
    list = pa_flist_new(2);
    pthread_create(&other, 0, exchange, (void *)1);
    exchange(0);
    pthread_join(other, 0);
    assert(taken[0] && taken[1] && taken[0] != taken[1]);
    return 0;
}
