// A load that acquires or is sequentially consistent, which only the execution shows.
#include <stdatomic.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static atomic_int x;
static int get(memory_order order) { return atomic_load_explicit(&x, order); }
int main(void)
{
    memory_order order = __VERIFIER_nondet_int() ? memory_order_seq_cst : memory_order_acquire;
    assert(get(order) == 0);
    return 0;
}
