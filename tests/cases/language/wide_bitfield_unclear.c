// gcc computes in 40 bits here; a long beside it, or writing it back, makes no difference.
#include <assert.h>

struct s {
    unsigned long long wide : 40;
};

int main(void) {
    struct s x = {0xffffffffff};
    assert(x.wide + 1l == 0x10000000000);
    x.wide++;
    assert(x.wide == 0);
    x.wide--;
    assert(x.wide + 1 == 0);
    return 0;
}
