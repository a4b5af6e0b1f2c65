// As back_safe, but what was asked for is not what comes back.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
static void leave(int value) { longjmp(context, value); }
int main(void)
{
    volatile int tries = 0;
    switch (setjmp(context)) {
    case 0:
        tries = 1;
        leave(5);
        assert(0);
    case 4:
        assert(tries == 1);
        leave(0);
    case 1:
        return 0;
    default:
        assert(0);
    }
}
