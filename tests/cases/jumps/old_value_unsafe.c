// It is not the old value either.
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
    assert(n == 0);
    return 0;
}
