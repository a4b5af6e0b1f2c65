// A number from outside may be the address of nothing; a comparison makes it one of a function.
#include <assert.h>

long __VERIFIER_nondet_long(void);

static void callee(void)
{
    assert(0);
}

int main(void)
{
    void (*f)(void) = (void (*)(void))__VERIFIER_nondet_long();
    if (f == callee)
        return 0;
    f();
    return 0;
}
