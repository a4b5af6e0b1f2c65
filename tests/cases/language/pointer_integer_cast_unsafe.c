#include <assert.h>
#include <stdint.h>
static int x = 4;
int main(void) {
    uintptr_t bits = (uintptr_t)&x;
    int *p = (int *)bits;
    *p += 1;
    assert(x == 4);
    assert((bits & 3) == 0 && bits != 0);
    return 0;
}
