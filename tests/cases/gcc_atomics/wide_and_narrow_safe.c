#include <assert.h>
int main(void) {
    unsigned char c = 250;
    long long w = 1;
    assert(__atomic_add_fetch(&c, 10, __ATOMIC_SEQ_CST) == 4);
    assert(__sync_fetch_and_sub(&w, 2) == 1);
    assert(w == -1 && c == 4);
    return 0;
}
