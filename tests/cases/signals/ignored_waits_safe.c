// What waits is thrown away when it is ignored.
#include <assert.h>
#include <signal.h>

static void handler(int number)
{
    assert(0);
}

int main(void)
{
    sigset_t set;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR1, handler);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    return 0;
}
