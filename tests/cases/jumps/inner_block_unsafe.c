// A jump out of a block ends what was declared in it.
#include <setjmp.h>
static jmp_buf context;
static int *kept;
static void leave(void) { longjmp(context, 1); }
int main(void)
{
    if (!setjmp(context)) {
        int x = 3;
        kept = &x;
        leave();
    }
    return *kept;
}
