// A conversion that does not fit matters only where it is reached.
#include <assert.h>
#include <math.h>
int main(void)
{
    volatile double d = NAN;
    int i = 0;
    if (d >= 0 && d < 1e9)
        i = d;
    assert(i == 0);
    return 0;
}
