// The first thread takes what it sends to the process; others block it from their start.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static pthread_t first;

static void handler(int number, siginfo_t *info, void *context)
{
    assert(info->si_signo == SIGTERM && number == SIGTERM);
    assert(pthread_equal(pthread_self(), first));
    stop = 1;
}

static void *worker(void *arg)
{
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, 0, &mask);
    assert(sigismember(&mask, SIGTERM));
    return arg;
}

int main(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO };
    sigset_t set, before;
    pthread_t thread;
    first = pthread_self();
    action.sa_sigaction = handler;
    sigaction(SIGTERM, &action, 0);
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    pthread_create(&thread, 0, worker, 0);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    kill(getpid(), SIGTERM);
    assert(stop);
    pthread_join(thread, 0);
    return 0;
}
