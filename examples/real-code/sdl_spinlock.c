/* SDL: its spin lock between two threads. */
#include <assert.h>
#include <pthread.h>
#include "SDL_atomic.h"

static SDL_SpinLock lock;
static int counter;

static void *add(void *unused)
{
    SDL_AtomicLock(&lock);
    counter++;
    SDL_AtomicUnlock(&lock);
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
