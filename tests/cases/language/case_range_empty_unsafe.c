#include <assert.h>

/* Converted to the type of `n`, the range begins above its end: gcc takes it for empty. */
static int kind(unsigned long n)
{
    switch (n) {
    case -4 ... 0:
        return 1;
    case -8 ... -5:
        return 2;
    default:
        return 3;
    }
}

int main(void)
{
    assert(kind(0) == 1 && kind(-2) == 3 && kind(-6) == 2);
    return 0;
}
