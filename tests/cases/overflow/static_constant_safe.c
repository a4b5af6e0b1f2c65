#include <assert.h>
#include <limits.h>

/* As C has it. */
static int last = INT_MIN;

int main(void)
{
    assert(last == INT_MIN);
    return 0;
}
