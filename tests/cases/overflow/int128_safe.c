// 128 bits are enough for all that happens here.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    __int128 most = ~((__int128)1 << 126 << 0) & (((__int128)1 << 126) - 1);
    __int128 n = __VERIFIER_nondet_int();
    __int128 sum = n + n;
    __int128 product = n * n;
    assert(product >= 0);
    assert(sum - n == n);
    most = most + 1 + ((__int128)1 << 125);
    unsigned __int128 wraps = 0;
    wraps -= 1;
    assert(wraps >> 127 == 1);
    assert((int)(most >> 125) == 3);
    return (int)(product >> 100) << (int)(sum & 3);
}
