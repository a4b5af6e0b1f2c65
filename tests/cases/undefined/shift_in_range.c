/* Shifts by less than the width of their operand. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int amount = __VERIFIER_nondet_int();
    if (amount >= 0 && amount < 32)
        assert((1u << amount) != 0);
    return 0;
}
