// A signal that the program raises calls its handler; ignored ones do nothing.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t seen;

void handle(int number)
{
    seen = number;
}

int main(void)
{
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    raise(SIGPIPE);
    assert(seen == 0);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    assert(seen == SIGUSR1);
    raise(SIGTERM);
    assert(0);
    return 0;
}
