// A signal that is blocked waits until it is not, and twice is once.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static int runs;

static void handler(int number)
{
    runs++;
}

int main(void)
{
    sigset_t set, before, waiting;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert(runs == 0);
    sigpending(&waiting);
    assert(sigismember(&waiting, SIGUSR1) && !sigismember(&waiting, SIGUSR2));
    sigprocmask(SIG_SETMASK, &before, 0);
    assert(runs == 1);
    kill(getpid(), SIGUSR1);
    assert(runs == 2);
    return 0;
}
