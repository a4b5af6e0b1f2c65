// A thread for signals: main sends it what ends it, and waits.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int quit, reloads;

static void *signals(void *set)
{
    for (;;) {
        int number;
        sigwait(set, &number);
        if (number == SIGTERM)
            break;
        reloads++;
    }
    pthread_mutex_lock(&lock);
    quit = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
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
    kill(getpid(), SIGHUP);
    pthread_kill(thread, SIGTERM);
    pthread_mutex_lock(&lock);
    while (!quit)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(reloads <= 1);
    return 0;
}
