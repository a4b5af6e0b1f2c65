// Numbers of 128 bits from and to floating ones.
#include <assert.h>

int main(void) {
    unsigned __int128 large = (unsigned __int128)1 << 100;
    double d = large;
    assert((unsigned __int128)d == large && (unsigned __int128)(d * 2) == large * 2);
    __int128 small = -7;
    float f = small;
    assert(f == -7.0f && (__int128)(f - 0.5f) == -7);
    return 0;
}
