/* The old value may be read before or after the call that changes it. */
#include <assert.h>
static int x;
static int sets(void) { x = 10; return 1; }
int main(void)
{

    x += sets();
    assert(x == 11);
    return 0;
}
