// One object may lie where another one ends.
#include <assert.h>
static int a, b;
int main(void)
{
    assert(&a + 1 != &b);
    return 0;
}
