#include <assert.h>
int main(void) {
    int a = -7, b = 2;
    assert(a / b == -3);
    assert(a % b == -1);
    assert(7 % -2 == 1);
    assert((unsigned)a / 2 == 2147483644u);
    return 0;
}
