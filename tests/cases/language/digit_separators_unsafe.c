// C23: separators between digits, also in the arguments of macros and in conditions.
#include <assert.h>
#if 1'000 != 1000
#error "separators"
#endif

int main(void) {
    assert(1'000 == 1000 && 0xff'ff == 65535 && 'a' == 97);
    assert(0b1010'1010 == 171);
    return 0;
}
