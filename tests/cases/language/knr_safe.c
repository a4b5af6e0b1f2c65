#include <assert.h>
int scale(a, b)
    char a;
    short *b;
{
    return a * *b;
}
static twice(n) { return n * 2; }
main() {
    short s = 3;
    assert(scale(2, &s) == 6);
    assert(twice(4) == 8);
    return 0;
}
