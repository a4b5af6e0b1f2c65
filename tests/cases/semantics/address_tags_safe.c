// Tags in the lowest bits and above the address are no matter of the layout.
#include <assert.h>
#include <stdint.h>
static struct node { struct node *next; long key; } n = {0, 42};
int main(void) {
    uintptr_t low = (uintptr_t)&n | 1;
    assert((low & 1) == 1);
    assert(((struct node *)(low & ~(uintptr_t)7))->key == 42);
    uintptr_t high = (uintptr_t)&n | (uintptr_t)3 << 48;
    assert(high >> 48 == 3);
    assert(((struct node *)(high & ((uintptr_t)1 << 48) - 1))->key == 42);
    assert(((uintptr_t)&n & 7) == 0);
    return 0;
}
