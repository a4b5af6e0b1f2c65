/* Initialisers of one list are evaluated in any order (C11 6.7.9p23): an assumption where it matters. */
#include <assert.h>
static int n;
static int digit(int d)
{
    n = n * 10 + d;
    return d;
}
int main(void)
{
    int v[] = {digit(1), digit(2)};
    assert(n == 12 && v[0] == 1);
    return 0;
}
