#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

/* C11 7.17.7.1p2: undefined. */
int main(void)
{
    atomic_store_explicit(&x, 1, memory_order_acquire);
    assert(x == 1);
    return 0;
}
