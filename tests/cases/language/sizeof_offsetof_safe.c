#include <assert.h>
#include <stddef.h>
struct mix { char a; short b; char c; int d; char e; };
int main(void) {
    int x = 0;
    assert(sizeof(struct mix) == 16);
    assert(offsetof(struct mix, b) == 2 && offsetof(struct mix, d) == 8);
    assert(__builtin_offsetof(struct mix, e) == 12);
    assert(_Alignof(struct mix) == 4 && __alignof__(short) == 2);
    assert(sizeof(x++) == 4 && x == 0);
    assert(sizeof 'a' == 4 && sizeof(char[7]) == 7);
    return 0;
}
