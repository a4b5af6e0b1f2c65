// sigsuspend lets a signal through that is blocked otherwise: it comes while the thread waits, or waits before.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t woken;

static void handler(int number)
{
    woken = 1;
}

static void *sleeper(void *arg)
{
    sigset_t none;
    sigemptyset(&none);
    while (!woken)
        sigsuspend(&none);
    return arg;
}

int main(void)
{
    sigset_t set;
    pthread_t thread;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, sleeper, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    assert(woken);
    return 0;
}
