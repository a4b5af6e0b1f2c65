#include <assert.h>
#include <stdatomic.h>
int main(void) {
    atomic_int x = ATOMIC_VAR_INIT(5);
    assert(atomic_fetch_add(&x, 3) == 5);
    assert(atomic_fetch_sub(&x, 1) == 8);
    assert(atomic_fetch_or(&x, 8) == 7);
    assert(atomic_fetch_and(&x, 12) == 15);
    assert(atomic_fetch_xor(&x, 5) == 12);
    assert(atomic_load(&x) == 9);
    return 0;
}
