#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(atoi("-2147483648") == -2147483647 - 1);
    return 0;
}
