// A volatile counter that counts as atomic is still read and written in two steps.
#include <assert.h>
#include <pthread.h>

static volatile int count;

static void *add(void *unused)
{
    count++;
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
