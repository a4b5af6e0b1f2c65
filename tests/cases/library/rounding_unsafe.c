// Halves go to the even neighbour.
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(lrint(2.5) == lround(2.5));
    return 0;
}
