#include <assert.h>
int main(void) {
    int x = 5;
    assert(__atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST) == 5);
    assert(__atomic_fetch_sub(&x, 1, __ATOMIC_RELAXED) == 8);
    assert(__atomic_fetch_or(&x, 8, __ATOMIC_ACQUIRE) == 7);
    assert(__atomic_fetch_and(&x, 12, __ATOMIC_RELEASE) == 15);
    assert(__atomic_fetch_xor(&x, 5, __ATOMIC_ACQ_REL) == 12);
    assert(x == 9);
    x = 0;
    __atomic_fetch_nand(&x, 1, __ATOMIC_CONSUME);
    assert(x == -1);
    return 0;
}
