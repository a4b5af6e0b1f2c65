#include <assert.h>
int main(void) {
    int neg = -8;
    unsigned u = (unsigned)neg;
    assert(neg >> 1 == -4);
    assert(u >> 28 == 15);
    assert((1u << 31) > 0);
    assert((unsigned char)0x81 << 1 == 0x102);
    return 0;
}
