#include <assert.h>
#include <limits.h>
int main(void) {
    unsigned x = UINT_MAX;
    x++;
    assert(x == 0);
    x--;
    x *= 3;
    x = -x;
    unsigned long long y = 1ull << 63;
    y += y;
    assert(y == 0 && x == 3);
    return 0;
}
