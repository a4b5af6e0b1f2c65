#include <assert.h>
int main(void) {
    int x = 3;
    if (__builtin_expect(!!(x == 3), 1))
        x++;
    if (__builtin_constant_p(x) == 2)
        __builtin_unreachable();
    assert(x == 3);
    return 0;
}
