// Who waits gets signals from outside: of those with a handler.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t last;

static void handler(int number)
{
    last = number;
}

int main(void)
{
    signal(SIGINT, handler);
    signal(SIGTERM, handler);
    int result = pause();
    assert(result == -1 && errno == EINTR);
    assert(last == SIGINT || last == SIGTERM);
    return 0;
}
