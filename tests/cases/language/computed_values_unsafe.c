// do, comma, conditional operator without a middle, and side effects in their order.
#include <assert.h>
int main(void) {
    int i = 0, n = 0;
    do
        n += i;
    while (i++, i < 3);
    int x = (n++, n * 2);
    int y = 0 ?: x;
    assert(n == 4 && x == 6 && y == 8);
    assert((i > 2 ? 1 : -1u) == 1);
    assert((0 ? 1 : -1u) > 0);
    return 0;
}
