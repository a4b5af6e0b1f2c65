// The read may come first, amid or last.
#include <assert.h>
static int x;
static int set(int v) { x = v; return v; }
static int third(int a, int b, int c) { return c; }
int main(void)
{
    assert(third(set(1), set(2), x) != 0);
    return 0;
}
