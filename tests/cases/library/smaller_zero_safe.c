// Which of two zeros is smaller is open, and both are zero.
#include <assert.h>
#include <math.h>
int main(void)
{
    assert(fmin(0.0, -0.0) == 0 && fmax(-0.0, 0.0) == 0);
    assert(fmin(1.0, -0.0) == 0 && fmax(-0.0, 1.0) == 1.0);
    return 0;
}
