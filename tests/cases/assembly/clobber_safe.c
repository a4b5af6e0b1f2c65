// Without an address there is nowhere to write to.
#include <assert.h>
int x;
int main(void) {
    unsigned flags;
    __asm__ volatile("pushfl; popl %0; cli" : "=r"(flags) : : "memory");
    x = 1;
    __asm__ volatile("pushl %0; popfl" : : "g"(flags) : "memory", "cc");
    assert(x == 1);
    return 0;
}
