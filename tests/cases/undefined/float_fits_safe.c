// Up to the last number that fits.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    volatile double d = 2147483647.9;
    assert((int)d == 2147483647);
    d = -128.9;
    assert((signed char)d == -128);
    d = -0.9;
    assert((unsigned char)d == 0);
    volatile float f = -9223372036854775808.0f;
    assert((long)f < 0);
    double n = __VERIFIER_nondet_double();
    if (n > -1 && n < 3) {
        unsigned u = n;
        assert(u <= 2);
    }
    return 0;
}
