#include <assert.h>
int main(void) {
    short s = 3;
    typeof(s) t = 0x12345;
    __typeof__(s + 1) u = 0x12345;
    __auto_type v = 1ull << 40;
    __auto_type w = &s;
    *w = 8;
    assert(t == 0x12345);
    assert(u == 0x12345 && v >> 40 == 1 && s == 8);
    assert(sizeof v == 8);
    return 0;
}
