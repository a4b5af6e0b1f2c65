// A volatile flag hands a value over. It races with itself, unless volatile accesses are atomic.
#include <assert.h>
#include <pthread.h>

static int value;
static volatile int ready;

static void *give(void *unused)
{
    value = 7;
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t giver;
    pthread_create(&giver, 0, give, 0);
    while (!ready)
        ;
    assert(value == 7);
    pthread_join(giver, 0);
    return 0;
}
