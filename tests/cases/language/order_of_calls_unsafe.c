/* Which of two operands is evaluated first is not said: both orders are tried. */
#include <assert.h>
static int x;
static int writes(void) { x = 1; return 0; }
static int reads(void) { return x; }
int main(void)
{
    int seen = writes() + reads();
    assert(seen == 1 && x == 1);
    return 0;
}
