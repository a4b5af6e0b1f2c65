// A memory operand changes, in a way that only the template knows.
#include <assert.h>
struct pair { int a, b; } p = {1, 2};
int main(void) {
    __asm__("incl %0" : "+m"(p.a) : : "cc");
    assert(p.a == 1);
    return 0;
}
