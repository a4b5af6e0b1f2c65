// An old-style definition beside what only GNU C has, and a parameter with the name of a type.
#include <assert.h>
typedef int T;
static int old(a, b) char a; short b[]; { return a + b[1]; }
static int less(int T) { return (T) - 1; }
int main(void)
{
    int next(int n) { return n + 1; }
    short pair[2] = {1, 2};
    assert(old(258, pair) == 4);
    assert(less(next(5)) == 5);
    return 0;
}
