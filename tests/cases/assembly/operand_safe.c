// A memory operand changes, its neighbours do not.
#include <assert.h>
struct pair { int a, b; } p = {1, 2};
int main(void) {
    int i = 5;
    __asm__("incl %0" : "+m"(p.a) : "r"(i) : "cc");
    assert(p.b == 2 && i == 5);
    return 0;
}
