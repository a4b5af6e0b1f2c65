/* __builtin_unreachable that is not reached. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int kind = __VERIFIER_nondet_int() & 3;
    switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
        break;
    default:
        __builtin_unreachable();
    }
    assert(kind < 4);
    return 0;
}
