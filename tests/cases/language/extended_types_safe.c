// Types that are carried around and not computed with; what is computed here is modelled.
#include <assert.h>
#include <complex.h>
typedef int four __attribute__((vector_size(16)));
static long double pi = 3.14159265358979323846L, copy;
static double _Complex z;
static _Float128 wide;
static _Decimal64 money;
static _BitInt(20) odd;
struct all { four v; long double l; float _Complex c; int number; };
static struct all first = {.l = -0.5L, .number = 7}, second;
static long double pass(long double x) { return x; }
static four twice(four x) { return x + x; }
int main(void) {
    copy = pass(pi);
    second = first;
    assert(second.number == 7);
    assert(sizeof(four) == 16 && sizeof z == 16 && sizeof wide == 16 && sizeof money == 8 && sizeof odd == 4);
    if (second.number == 8) {
        second.v = twice(second.v);
        second.v[0] = 1;
        __real__ z = creal(z) + 1.0i;
        copy = pi * 2 + (long double)wide;
        odd = odd + 1;
    }
    return 0;
}
