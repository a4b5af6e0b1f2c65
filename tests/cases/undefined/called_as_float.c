#include <assert.h>

static double half(double x)
{
    return x / 2;
}

/* Undefined, and numbers and floats are handed over in different registers. */
int main(void)
{
    double (*f)(int) = (double (*)(int))half;
    assert(f(8) == 4);
    return 0;
}
