#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static int seen;

static void handler(int number)
{
    seen = number;
}

static void at_exit(void)
{
    assert(0);
}

/* The process ends whatever the handler does, without the handlers of atexit. */
int main(void)
{
    atexit(at_exit);
    signal(SIGABRT, handler);
    abort();
    assert(0);
}
