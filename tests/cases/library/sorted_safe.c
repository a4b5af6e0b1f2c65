// C11 7.22.5.2 paragraph 4: the order of equal elements is unspecified.
#include <assert.h>
#include <stdlib.h>
struct pair { int key, value; };
static int by_key(const void *a, const void *b)
{
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
int main(void)
{
    struct pair p[3] = {{2, 1}, {1, 2}, {2, 3}};
    qsort(p, 3, sizeof *p, by_key);
    assert(p[0].value == 2 && p[1].value + p[2].value == 4);
    return 0;
}
