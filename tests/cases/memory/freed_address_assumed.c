// Most allocators give the same address again: that they do not is assumed.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *new = malloc(sizeof *new);
    int same = old == new;
    free(new);
    assert(!same);
    return 0;
}
