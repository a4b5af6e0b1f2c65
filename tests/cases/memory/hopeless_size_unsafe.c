// No block has that many bytes.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    int n = -1;
    assert(malloc(n) != 0);
    return 0;
}
