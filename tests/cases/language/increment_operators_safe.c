#include <assert.h>
int main(void) {
    int a[3] = {1, 2, 3}, *p = a;
    int x = *p++;
    int y = ++*p;
    int z = (*p)++;
    assert(x == 1 && y == 3 && z == 3 && *p == 4 && p == a + 1);
    unsigned char c = 255;
    assert(c++ == 255 && c == 0);
    short s = 5;
    s -= 7;
    s <<= 2;
    s |= 1;
    assert(s == -7);
    return 0;
}
