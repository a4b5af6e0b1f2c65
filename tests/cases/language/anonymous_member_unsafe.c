#include <assert.h>
struct tagged {
    int tag;
    union {
        int i;
        struct { short lo, hi; };
    };
};
int main(void) {
    struct tagged t = {.tag = 1, .i = 0x00020001};
    assert(t.lo == 1 && t.hi == 1);
    return 0;
}
