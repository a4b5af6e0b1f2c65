#include <assert.h>
struct { unsigned narrow : 3, wide : 32; } s;
int main(void)
{
    assert(_Generic(s.wide, unsigned: 1, default: 0));
    assert(_Generic(+s.narrow, int: 1, default: 0));
    return 0;
}
