// Hexadecimal constants below the normal numbers, and those that are rounded once, to a float.
#include <assert.h>
#include <string.h>
static unsigned long bits(double x) { unsigned long u; memcpy(&u, &x, sizeof u); return u; }
static unsigned bits_of_float(float x) { unsigned u; memcpy(&u, &x, sizeof u); return u; }
int main(void)
{
    assert(bits(0x1p-1074) == 1);
    assert(bits(0x1.fffffffffffffp-1023) == 0x10000000000000);
    assert(bits(0x1.000000000000080000001p0) == 0x3ff0000000000001);
    assert(bits_of_float(0x1.000001000000001p0f) == 0x3f800001);
    return 0;
}
