// The clobber and the address say that there is a write that no operand names.
#include <assert.h>
int x;
int main(void) {
    __asm__ volatile("sarl $1, (%0)" : : "r"(&x) : "memory");
    assert(x == 0);
    return 0;
}
