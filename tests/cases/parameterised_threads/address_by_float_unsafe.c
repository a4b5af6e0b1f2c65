/* An address goes through a float and comes back: the number beside the pointer leads to `other`. */
#include <stdint.h>

int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int one, other;

int main(void)
{
    double bits = (double)(uintptr_t)&other;
    bits = bits + 0.0;
    int *p = __VERIFIER_nondet_int() ? &one : (int *)(uintptr_t)bits;
    *p = 2;
    if (other == 2)
        reach_error();
    return 0;
}
