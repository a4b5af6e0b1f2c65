// The argument is converted to the type of the parameter: 258 is 2.
#include <assert.h>
static int old(a) char a; { return a; }
int main(void)
{
    int same(int n) { return n; }
    assert(same(old(258)) == 258);
    return 0;
}
