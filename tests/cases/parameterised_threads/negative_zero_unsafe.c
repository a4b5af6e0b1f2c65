/* Two zeros: the bits differ, the numbers do not. */
#include <assert.h>

double zero = -0.0;

int main(void)
{
    assert(zero);
    return 0;
}
