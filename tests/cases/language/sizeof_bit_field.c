// gcc gives the bit-field a type of its width, so one byte here; with clang it has that of its declaration.
#include <assert.h>
struct { unsigned narrow : 3, wide : 32; } s;
int main(void)
{
    assert(sizeof(0, s.wide) == sizeof(unsigned));
    assert(sizeof(s.narrow + 0) == sizeof(int));
    assert(sizeof(0, s.narrow) == sizeof(unsigned));
    return 0;
}
