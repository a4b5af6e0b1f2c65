// gcc leaves the zeros of 0 undefined; machines differ.
#include <assert.h>
unsigned n;
int main(void)
{
    assert(__builtin_clz(n | 1) == 31);
    assert(__builtin_ctz(n | 8) == 3);
    assert(__builtin_clz(n) == 32);
    return 0;
}
