// The handler of sigaction is called.
#include <assert.h>
#include <signal.h>
#include <string.h>

void handle(int number)
{
    assert(number != SIGUSR1);
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    return 0;
}
