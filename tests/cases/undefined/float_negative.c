// -1 does not fit an unsigned type.
#include <assert.h>
int main(void)
{
    volatile float f = -1;
    unsigned short s = f;
    assert(s == 65535);
    return 0;
}
