// A jump does not end what was declared around the setjmp.
#include <setjmp.h>
static jmp_buf context;
static int *kept;
static void leave(void) { longjmp(context, 1); }
int main(void)
{
    int x = 3;
    if (!setjmp(context)) {
        kept = &x;
        leave();
    }
    return *kept;
}
