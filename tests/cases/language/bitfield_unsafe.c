// A plain store to a bit-field keeps the low bits; a signed one is sign-extended when read.
#include <assert.h>
struct flags {
    signed a : 3;
    unsigned b : 2;
    unsigned : 0;
    unsigned c : 5;
};
int main(void) {
    struct flags f = {0};
    f.a = 5;
    f.b = 7;
    f.c = 33;
    assert(f.a == 5);
    assert(f.b == 3);
    assert(f.c == 1);
    return 0;
}
