// A plain store by an address in a register is exact.
#include <assert.h>
int x;
int main(void) {
    __asm__ volatile("movl $1, (%0)" : : "r"(&x) : "memory");
    assert(x == 0);
    return 0;
}
