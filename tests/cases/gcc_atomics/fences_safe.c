#include <assert.h>
static int x;
int main(void) {
    x = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
    __sync_synchronize();
    assert(x == 1);
    assert(__atomic_always_lock_free(4, 0));
    return 0;
}
