#include <assert.h>
static int f(int n) {
    int r = 0;
    switch (n) {
    case 0:
        r += 1;
    case 1:
        r += 10;
        break;
    default:
        r += 100;
    case 4 ... 6:
        r += 1000;
    }
    return r;
}
int main(void) {
    assert(f(0) == 1);
    assert(f(1) == 10 && f(2) == 1100 && f(5) == 1000);
    return 0;
}
