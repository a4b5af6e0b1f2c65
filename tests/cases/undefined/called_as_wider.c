#include <assert.h>

static int half(int n)
{
    return n / 2;
}

/* Undefined (C11 6.5.2.2p9). Machines hand over a register, of which `half` looks at the low half. */
int main(void)
{
    int (*f)(long) = (int (*)(long))half;
    assert(f(0x100000008) == 4);
    return 0;
}
