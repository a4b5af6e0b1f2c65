#include <assert.h>

static int sign(int n)
{
    return n < 0 ? -1 : n > 0;
}

/* Undefined: who returns an `int` says nothing about the high half of the register. */
int main(void)
{
    long (*f)(int) = (long (*)(int))sign;
    assert(f(-8) == -1);
    return 0;
}
