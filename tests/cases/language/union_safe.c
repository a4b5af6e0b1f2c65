#include <assert.h>
union word {
    unsigned u;
    unsigned char bytes[4];
    short half[2];
};
int main(void) {
    union word w;
    w.u = 0x04030201u;
    assert(w.bytes[0] == 1);
    assert(w.half[1] == 0x0403);
    w.bytes[3] = 0xff;
    assert(w.u == 0xff030201u);
    return 0;
}
