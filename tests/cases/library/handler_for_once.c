#include <assert.h>
#include <signal.h>
#include <string.h>

static int runs;

static void handler(int number)
{
    runs++;
}

/* The second signal ends the process. */
int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &action, 0);
    raise(SIGINT);
    assert(runs == 1);
    raise(SIGINT);
    assert(0);
    return 0;
}
