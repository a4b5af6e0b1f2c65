#include <assert.h>
#include <limits.h>

/* C forbids it (C11 6.6p4), compilers warn. */
static int last = INT_MAX + 1;

int main(void)
{
    assert(last == INT_MIN);
    return 0;
}
