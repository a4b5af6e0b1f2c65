#include <assert.h>
#include <stdlib.h>

/* What atoi does with a number that no int is, C leaves undefined (7.22.1p1). */
int main(void)
{
    assert(atoi("2147483648") == -2147483647 - 1);
    return 0;
}
