#include <assert.h>
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
    pause();
    assert(last == SIGINT);
    return 0;
}
