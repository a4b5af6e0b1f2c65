/* Arguments are evaluated in any order. */
#include <assert.h>
static int count;
static int next(void) { return ++count; }
static int less(int a, int b) { return a < b; }
int main(void)
{

    assert(less(next(), next()));
    return 0;
}
