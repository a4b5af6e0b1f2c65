#include <assert.h>
#include <stdbool.h>
int main(void) {
    short x = 1, expected = 2, desired = 8;
    assert(!__atomic_compare_exchange_n(&x, &expected, 7, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    assert(expected == 1);
    assert(__atomic_compare_exchange(&x, &expected, &desired, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE));
    assert(x == 1);
    return 0;
}
