// One thread waits for the signals of a process: reloads are counted under the lock.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reloads;

static void *signals(void *set)
{
    for (int i = 0; i < 2; i++) {
        int number;
        sigwait(set, &number);
        assert(number == SIGHUP || number == SIGTERM);
        if (number == SIGTERM)
            return 0;
        pthread_mutex_lock(&lock);
        reloads++;
        pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    int seen = reloads;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(seen <= reloads && reloads <= 2);
    return 0;
}
