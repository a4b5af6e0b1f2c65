#include <assert.h>
#include <stdlib.h>
int main(void)
{
    int n = 8;
    assert(malloc(n) != 0);
    return 0;
}
