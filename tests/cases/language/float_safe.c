#include <assert.h>
int main(void) {
    double d = 0.1 + 0.2;
    float f = 16777216.0f;
    assert(d != 0.3);
    assert(f + 1.0f == f);
    assert((int)-2.9 == -2);
    assert(7 / 2 * 2.0 == 6.0 && 7 / 2.0 == 3.5);
    return 0;
}
