// Operands narrower than int are promoted to int before the sum is formed.
#include <assert.h>
int main(void) {
    unsigned char a = 200, b = 100;
    assert(a + b == 300);
    unsigned char c = a + b;
    assert(c == 44);
    return 0;
}
