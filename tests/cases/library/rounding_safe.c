// Rounding, remainders and classes of numbers are exact.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(rint(2.5) == 2 && rint(3.5) == 4 && rint(-0.5) == 0);
    assert(nearbyint(4503599627370497.5) == 4503599627370498.0);
    assert(lround(2.5) == 3 && lround(-2.5) == -3 && lrint(2.5) == 2 && llround(0.49999999999999994) == 0);
    assert(fmod(-7.5, 2.0) == -1.5 && fmod(1e15, 7.0) == 6.0 && fmod(5.5, INFINITY) == 5.5);
    assert(isnan(fmod(1.0, 0.0)));
    double whole;
    assert(modf(-2.75, &whole) == -0.75 && whole == -2);
    int exponent;
    assert(frexp(-48.0, &exponent) == -0.75 && exponent == 6);
    assert(fpclassify(0.0) == FP_ZERO && fpclassify(1e-310) == FP_SUBNORMAL);
    assert(fpclassify(NAN) == FP_NAN && fpclassify(-INFINITY) == FP_INFINITE && fpclassify(3.0f) == FP_NORMAL);
    assert(isnormal(1e-300) && !isnormal(1e-310) && !isnormal(1e-40f));
    assert(fdim(3.0, 5.0) == 0 && fdim(5.0, 3.0) == 2);
    return 0;
}
