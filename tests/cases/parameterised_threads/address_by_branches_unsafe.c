/* The address is told bit by bit, by branches, and no value flows from it to the pointer. */
#include <stdint.h>

int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int one, other;

int main(void)
{
    uintptr_t from = (uintptr_t)&other, to = 0;
    for (int bit = 0; bit < 64; bit++)
        if (from >> bit & 1)
            to |= (uintptr_t)1 << bit;
    int *p = __VERIFIER_nondet_int() ? &one : (int *)to;
    *p = 2;
    if (other == 2)
        reach_error();
    return 0;
}
