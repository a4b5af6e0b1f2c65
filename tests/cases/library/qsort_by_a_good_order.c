#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* That the comparison is one of a total order is not proven. */
int main(void)
{
    int a[3] = { 3, 1, 2 };
    qsort(a, 3, sizeof a[0], compare);
    assert(a[0] == 1 && a[2] == 3);
    return 0;
}
