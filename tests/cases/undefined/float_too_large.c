// x86 gives INT_MIN, gcc INT_MAX where it computes the constant itself: C leaves it undefined.
#include <assert.h>
int main(void)
{
    volatile double d = 2147483648.0;
    int i = d;
    assert(i != 0);
    return 0;
}
