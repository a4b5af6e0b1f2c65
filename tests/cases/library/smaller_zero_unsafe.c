// Which of two zeros is smaller is open (C11 F.10.9.3): either one.
#include <assert.h>
#include <math.h>
#include <string.h>
int main(void)
{
    double r = fmin(0.0, -0.0);
    unsigned long bits;
    memcpy(&bits, &r, sizeof bits);
    assert(bits == 0);
    return 0;
}
