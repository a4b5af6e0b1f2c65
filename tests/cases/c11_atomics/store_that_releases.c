#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    assert(x == 1);
    return 0;
}
