// It is one of those that are equal.
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    static const int a[] = { 1, 2, 2, 3 };
    int key = 2;
    const int *found = bsearch(&key, a, 4, sizeof *a, compare);
    assert(found == a + 1 || found == a + 2);
    return 0;
}
