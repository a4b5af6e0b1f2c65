#include <assert.h>

static int half(int n)
{
    return n / 2;
}

int main(void)
{
    int (*f)(int) = half;
    assert(f(8) == 4);
    return 0;
}
