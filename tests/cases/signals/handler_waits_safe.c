// A signal that its own handler raises waits until that returns.
#include <assert.h>
#include <signal.h>

static int runs, depth;

static void handler(int number)
{
    assert(++depth == 1);
    if (runs++ == 0)
        raise(number);
    depth--;
}

int main(void)
{
    struct sigaction action = { .sa_handler = handler };
    sigaction(SIGINT, &action, 0);
    raise(SIGINT);
    assert(runs == 2);
    return 0;
}
