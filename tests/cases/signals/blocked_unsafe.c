// Two signals of one kind that wait are one.
#include <assert.h>
#include <signal.h>

static int runs;

static void handler(int number)
{
    runs++;
}

int main(void)
{
    sigset_t set;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    assert(runs == 2);
    return 0;
}
