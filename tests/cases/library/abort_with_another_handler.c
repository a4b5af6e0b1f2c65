#include <assert.h>
#include <signal.h>
#include <stdlib.h>

static void handler(int number)
{
    assert(number != SIGABRT);
}

/* abort raises its signal, and a handler runs. */
int main(void)
{
    signal(SIGUSR1, handler);
    abort();
}
