// Before the jump or not at all.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
static int x = 7;
static int leave(void) { longjmp(context, 1); }
static void use(int a, int b) { x = a + b; }
int main(void)
{
    if (!setjmp(context))
        use(leave(), x = 9);
    assert(x == 7 || x == 9);
    return 0;
}
