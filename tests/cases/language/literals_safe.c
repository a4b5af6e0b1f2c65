// Compound literals that can be written are objects of their own.
#include <assert.h>

int main(void) {
    int *p = (int[]){1}, *q = (int[]){1};
    assert(p != q);
    return 0;
}
