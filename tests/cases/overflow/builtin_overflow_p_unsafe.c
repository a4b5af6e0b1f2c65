// The sum itself overflows.
#include <assert.h>
#include <limits.h>

int main(void) {
    assert(__builtin_add_overflow_p(INT_MAX, 1, (int)0));
    int n = INT_MAX;
    assert(!__builtin_add_overflow_p(n, 1, (long)0) && n + 1 != 0);
    assert(__builtin_mul_overflow_p(1u << 31, 2, (unsigned)0));
    assert(__builtin_sub_overflow_p(0, 1, (unsigned char)0));
    return 0;
}
