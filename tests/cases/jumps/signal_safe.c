// A handler that raise calls jumps out of it.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf context;
static int seen;
static void handler(int number)
{
    seen = number;
    siglongjmp(context, 1);
}
int main(void)
{
    signal(SIGUSR1, handler);
    if (sigsetjmp(context, 1) == 0) {
        raise(SIGUSR1);
        assert(0);
    }
    assert(seen == SIGUSR1);
    return 0;
}
