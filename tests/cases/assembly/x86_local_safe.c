// A local variable as an operand in memory.
#include <assert.h>

int main(void) {
    int x = 3, old = 4;
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(x) : : "memory", "cc");
    assert(old == 3 && x == 7);
    __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(x));
    assert(old == 7 && x == 3);
    return 0;
}
