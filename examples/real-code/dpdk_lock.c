/* DPDK: a lock between two threads; names come from the command line. */
#include <assert.h>
#include <pthread.h>
#include HEADER

static LOCK lock;
static int counter;

static void *add(void *unused)
{
    TAKE;
    counter++;
    GIVE;
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(counter == 2);
    return 0;
}
