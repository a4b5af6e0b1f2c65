#include <assert.h>
int main(void) {
    int big = 0x1ff;
    signed char s = big;
    unsigned char u = big;
    short h = 0x18000;
    assert(s == 255);
    assert(u == 255);
    assert(h == -32768);
    return 0;
}
