#include <assert.h>
_Static_assert(sizeof(int) == 4, "int has 32 bits");
struct __attribute__((packed)) packed { char c; int i; };
_Static_assert(sizeof(struct packed) == 5, "packed");
int main(void) {
    _Static_assert(_Alignof(int) == 4, "");
    static_assert(1, "");
    struct packed p = {1, 2};
    assert(((char *)&p)[ 4 ] == 2);
    return 0;
}
