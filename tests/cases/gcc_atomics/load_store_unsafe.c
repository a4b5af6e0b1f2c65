#include <assert.h>
int main(void) {
    int x = 0, v = 4, r;
    __atomic_store_n(&x, 3, __ATOMIC_SEQ_CST);
    assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 3);
    __atomic_store(&x, &v, __ATOMIC_RELEASE);
    __atomic_load(&x, &r, __ATOMIC_RELAXED);
    assert(r == 3);
    assert(__atomic_exchange_n(&x, 5, __ATOMIC_ACQ_REL) == 4);
    v = 6;
    __atomic_exchange(&x, &v, &r, __ATOMIC_SEQ_CST);
    assert(x == 6 && r == 5);
    return 0;
}
