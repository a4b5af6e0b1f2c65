// The empty template hands on what is in the register; compilers see no more.
#include <assert.h>
int x = 1;
int main(void) {
    int *p, n = 3;
    __asm__("" : "=r"(p) : "0"(&x));
    __asm__("" : "+r"(n));
    *p = n;
    assert(x == 3);
    return 0;
}
