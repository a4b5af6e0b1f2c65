// longjmp goes back behind setjmp with its value, and 0 becomes 1.
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
    case 5:
        assert(tries == 1);
        leave(0);
    case 1:
        return 0;
    default:
        assert(0);
    }
}
