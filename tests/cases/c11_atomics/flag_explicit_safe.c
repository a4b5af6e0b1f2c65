#include <assert.h>
#include <stdatomic.h>
int main(void) {
    atomic_flag f = ATOMIC_FLAG_INIT;
    assert(!atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
    assert(atomic_flag_test_and_set_explicit(&f, memory_order_relaxed));
    atomic_flag_clear_explicit(&f, memory_order_release);
    assert(!atomic_flag_test_and_set(&f));
    return 0;
}
