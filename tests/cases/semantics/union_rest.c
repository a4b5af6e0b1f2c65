// A store to a member leaves the other bytes of the union open (C11 6.2.6.1p7).
#include <assert.h>

union value { char c; int i; };

int main(void) {
    union value x;
    x.i = 0;
    x.c = 1;
    assert(x.i == 1);
    return 0;
}
