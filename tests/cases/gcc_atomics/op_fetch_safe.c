#include <assert.h>
int main(void) {
    int x = 5;
    assert(__atomic_add_fetch(&x, 3, __ATOMIC_SEQ_CST) == 8);
    assert(__atomic_sub_fetch(&x, 1, __ATOMIC_RELAXED) == 7);
    assert(__atomic_or_fetch(&x, 8, __ATOMIC_ACQUIRE) == 15);
    assert(__atomic_and_fetch(&x, 12, __ATOMIC_RELEASE) == 12);
    assert(__atomic_xor_fetch(&x, 5, __ATOMIC_ACQ_REL) == 9);
    assert(__atomic_nand_fetch(&x, 1, __ATOMIC_SEQ_CST) == -2);
    return 0;
}
