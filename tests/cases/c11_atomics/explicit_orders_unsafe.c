#include <assert.h>
#include <stdatomic.h>
int main(void) {
    atomic_uint x;
    atomic_init(&x, 1);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&x, 3, memory_order_release);
    atomic_store_explicit(&x, 4, memory_order_seq_cst);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 4);
    assert(atomic_load_explicit(&x, memory_order_consume) == 4);
    assert(atomic_load_explicit(&x, memory_order_acquire) == 4);
    assert(atomic_exchange_explicit(&x, 6, memory_order_acq_rel) == 4);
    assert(atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) == 6);
    assert(atomic_fetch_sub_explicit(&x, 2, memory_order_release) == 7);
    assert(atomic_fetch_or_explicit(&x, 2, memory_order_acquire) == 5);
    assert(atomic_fetch_xor_explicit(&x, 1, memory_order_acq_rel) == 7);
    assert(atomic_fetch_and_explicit(&x, 4, memory_order_seq_cst) == 6);
    assert(x == 6);
    return 0;
}
