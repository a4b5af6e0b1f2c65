// Printing may fail.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int k = printf("%d\n", 42);
    assert(k == 3);
    return 0;
}
