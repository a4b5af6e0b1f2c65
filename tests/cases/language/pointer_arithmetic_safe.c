#include <assert.h>
int main(void) {
    int a[5] = {10, 11, 12, 13, 14};
    int *p = a + 1, *q = &a[4];
    assert(q - p == 3);
    assert((char *)q - (char *)p == 3 * (long)sizeof(int));
    assert(*--q == 13 && q > p);
    assert(3[a] == 13);
    p += 2;
    assert(p == q);
    return 0;
}
