#include <assert.h>
int main(void) {
    unsigned long long a = 0x100000000ull;
    long long b = -3;
    assert(sizeof a == 8);
    assert(a * a == 0 && (a >> 31) == 2);
    assert(b / 2 == -1 && b % 2 == -1 && (b >> 1) == -2);
    assert(4294967296 != 0);
    return 0;
}
