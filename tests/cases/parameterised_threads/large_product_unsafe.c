/* The largest number times itself is 1. */
#include <assert.h>

unsigned long long large = 0xffffffffffffffffull;

int main(void)
{
    assert(large * large != 1);
    return 0;
}
