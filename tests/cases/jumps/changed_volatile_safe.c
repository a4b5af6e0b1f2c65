// A volatile local holds what it was changed to.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
static void leave(void) { longjmp(context, 1); }
int main(void)
{
    volatile int n = 0;
    if (setjmp(context) == 0) {
        n = 1;
        leave();
    }
    assert(n == 1);
    return 0;
}
