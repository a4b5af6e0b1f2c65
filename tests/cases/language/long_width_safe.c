// long has 64 bits in LP64 and 32 in ILP32.
#include <assert.h>
int main(void) {
    long x = 1;
    x = x << 16 << 15 << 1;
    assert(x != 0);
    return 0;
}
