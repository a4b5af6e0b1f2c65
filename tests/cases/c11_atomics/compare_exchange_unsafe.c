#include <assert.h>
#include <stdatomic.h>
int main(void) {
    atomic_int x = 1;
    int expected = 2;
    assert(!atomic_compare_exchange_strong(&x, &expected, 9));
    assert(expected == 1 && x == 1);
    assert(atomic_compare_exchange_strong_explicit(&x, &expected, 9, memory_order_acq_rel,
                                                   memory_order_acquire));
    assert(x == 1 && expected == 1);
    expected = 0;
    assert(!atomic_compare_exchange_weak(&x, &expected, 3) && expected == 9);
    return 0;
}
