// gcc's bit counting builtins.
#include <assert.h>

int main(void)
{
    assert(__builtin_popcount(0xf0f0u) == 8);
    assert(__builtin_popcountll(~0ull) == 64);
    assert(__builtin_ctz(8) == 3);
    assert(__builtin_clz(1) == 31);
    assert(__builtin_clzll(1) == 63);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(4) == 3);
    assert(__builtin_parity(7) == 1);
    assert(__builtin_bswap16(0x1234) == 0x3412);
    assert(__builtin_bswap32(0x12345678u) == 0x78563412u);
    assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
    return 0;
}
