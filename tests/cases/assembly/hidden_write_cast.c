// The same for an address that is passed as a number, and for a template without operands.
#include <assert.h>
int x, y;
int main(void) {
    if (y)
        __asm__("incl x");
    else
        __asm__ volatile("sarl $1, (%0)" : : "r"((unsigned long)&x) : "memory");
    assert(x == 0);
    return 0;
}
