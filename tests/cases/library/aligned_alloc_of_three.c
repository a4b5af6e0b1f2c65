#include <assert.h>
#include <stdlib.h>

/* No alignment: null in C17, undefined in C11, and glibc took the next power of two for long. */
int main(void)
{
    void *p = aligned_alloc(3, 9);
    assert(p == 0);
    return 0;
}
