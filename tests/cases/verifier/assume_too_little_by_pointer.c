#include <assert.h>

extern void __VERIFIER_assume(int condition);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    void (*assume)(int) = __VERIFIER_assume;
    int x = __VERIFIER_nondet_int();
    assume(x > 1);
    assert(x > 2);
    return 0;
}
