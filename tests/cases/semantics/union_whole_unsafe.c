// The members that are used have the same bytes, and the value is another one.
#include <assert.h>

union value { char c; int i; struct { short low, high; } s; };

int main(void) {
    union value x;
    x.i = 0;
    x.s.low = 1;
    assert(x.i == 2);
    return 0;
}
