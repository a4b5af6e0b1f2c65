#include <assert.h>
int main(void) {
    int x = 5;
    assert(__sync_fetch_and_add(&x, 3) == 5);
    assert(__sync_fetch_and_sub(&x, 1) == 8);
    assert(__sync_fetch_and_or(&x, 8) == 7);
    assert(__sync_fetch_and_and(&x, 12) == 15);
    assert(__sync_fetch_and_xor(&x, 5) == 12);
    assert(__sync_fetch_and_nand(&x, 1) == 9);
    assert(x == -2);
    assert(__sync_add_and_fetch(&x, 3) == 1);
    assert(__sync_sub_and_fetch(&x, 1) == 0);
    assert(__sync_or_and_fetch(&x, 6) == 6);
    assert(__sync_and_and_fetch(&x, 3) == 2);
    assert(__sync_xor_and_fetch(&x, 7) == 5);
    assert(__sync_nand_and_fetch(&x, 1) == -2);
    return 0;
}
