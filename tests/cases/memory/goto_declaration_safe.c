// A local lives from the entry of its block: a jump over its declaration keeps the object.
#include <assert.h>

int main(void) {
    int *p = 0;
    int rounds = 0;
again:
    if (p) {
        assert(*p == 7);
        *p = 8;
    }
    int x;
    if (p)
        assert(p == &x);
    x = 7;
    p = &x;
    if (++rounds < 2)
        goto again;
    return *p;
}
