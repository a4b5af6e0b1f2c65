// The smallest number is not 0.
#include <assert.h>
int main(void)
{
    double least = 0x1p-1074;
    assert(least == 0);
    return 0;
}
