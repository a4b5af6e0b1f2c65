/* A weak compare-and-swap may fail although the values are equal. */
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
int main(void)
{
    int expected = 0;
    _Bool done = atomic_compare_exchange_weak(&x, &expected, 1);
    assert(done);
    assert(expected == 0);
    return 0;
}
