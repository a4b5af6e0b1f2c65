// In one object it is exact.
#include <assert.h>
int a[2];
int main(void)
{
    int *p = a;
    while (p < a + 2)
        p++;
    assert(p - a == 2);
    return 0;
}
