// That the array is sorted is an assumption.
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int all[3] = {1, 2, 3};
    int key = 3;
    assert(bsearch(&key, all, 3, sizeof(int), compare) == all + 2);
    return 0;
}
