// Roots and roundings are exact, for numbers that are not known, too.
#include <assert.h>
#include <math.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    assert(sqrt(2.0) == 0x1.6a09e667f3bcdp+0 && sqrt(144.0) == 12.0 && sqrtf(2.25f) == 1.5f);
    assert(floor(-2.5) == -3.0 && ceil(-2.5) == -2.0 && round(-2.5) == -3.0 && trunc(2.75) == 2.0);
    assert(fabs(-1.5) == 1.5 && fmin(1.0, -0.5) == -0.5 && fmax(1.0, 7.0) == 7.0);
    unsigned char key = __VERIFIER_nondet_uchar();
    int root = (int)sqrt(key);
    assert(root * root <= key && key < (root + 1) * (root + 1));
    return 0;
}
