// What follows raise is skipped.
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
        seen = 0;
    }
    assert(seen == 0);
    return 0;
}
