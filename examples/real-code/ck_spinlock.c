/* Concurrency kit: two threads add under a lock of the family that LOCK names. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static LOCK lock = INIT;
static int count;

static void *add(void *unused)
{
    TAKE(&lock);
    count++;
    GIVE(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2);
    return 0;
}
