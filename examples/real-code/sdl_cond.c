/* SDL: condition variables made of semaphores (those of systems without), a producer and a consumer. */
#include <assert.h>
#include <pthread.h>
#include "SDL_mutex.h"

static SDL_mutex *lock;
static SDL_cond *changed;
static int value;

static void *produce(void *unused)
{
    SDL_LockMutex(lock);
    value = 1;
    SDL_CondSignal(changed);
    SDL_UnlockMutex(lock);
    return unused;
}

int main(void)
{
    pthread_t other;
    lock = SDL_CreateMutex();
    changed = SDL_CreateCond();
    if (!lock || !changed)
        return 0;
    pthread_create(&other, 0, produce, 0);
    SDL_LockMutex(lock);
    while (!value)
        SDL_CondWait(changed, lock);
    SDL_UnlockMutex(lock);
    pthread_join(other, 0);
    assert(value == 1);
    return 0;
}
