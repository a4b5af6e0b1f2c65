#include <assert.h>
#include <signal.h>
#include <string.h>

static int runs;

static void handler(int number)
{
    if (runs++ == 0) {
        raise(SIGINT);
        assert(runs == 1);
    }
}

/* Blocked until the handler ends. */
int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = 0;
    sigaction(SIGINT, &action, 0);
    raise(SIGINT);
    return 0;
}
