// A local that is not volatile and was changed since setjmp is indeterminate (C11 7.13.2.1p3).
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
static void leave(void) { longjmp(context, 1); }
int main(void)
{
    int n = 0;
    if (setjmp(context) == 0) {
        n = 1;
        leave();
    }
    assert(n == 1);
    return 0;
}
