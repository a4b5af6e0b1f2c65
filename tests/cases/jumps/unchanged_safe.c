// A local that was not changed since setjmp, or not in this execution, keeps its value.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
extern int __VERIFIER_nondet_int(void);
static void leave(int value) { longjmp(context, value); }
int main(void)
{
    int n = 7, m = 3;
    int early = __VERIFIER_nondet_int() != 0;
    switch (setjmp(context)) {
    case 0:
        if (early)
            leave(1);
        m = 4;
        leave(2);
    case 1:
        assert(n == 7 && m == 3);
        return 0;
    default:
        assert(n == 7);
        return 0;
    }
}
