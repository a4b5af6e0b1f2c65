// A jump out of an atomic block.
#include <setjmp.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static jmp_buf context;
int main(void)
{
    if (setjmp(context) != 0)
        return 0;
    __VERIFIER_atomic_begin();
    longjmp(context, 1);
    __VERIFIER_atomic_end();
}
