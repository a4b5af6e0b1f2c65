#include <assert.h>
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int main(void) {
    int i = 1;
    int m = MAX(i++, 1);
    assert(m == 1 && i == 2);
    assert(MAX(3L, 2) == 3);
    return 0;
}
