// The same without the lock, and with a signal that may be another one.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int reloads;

static void *signals(void *set)
{
    for (int i = 0; i < 2; i++) {
        int number;
        sigwait(set, &number);
        assert(number == SIGHUP);
        if (number == SIGTERM)
            return 0;
        reloads++;
    }
    return 0;
}

int main(void)
{
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, signals, &set);
    int seen = reloads;
    pthread_join(thread, 0);
    assert(seen <= reloads && reloads <= 2);
    return 0;
}
