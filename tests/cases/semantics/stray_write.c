// A write outside of its object may change anything: nothing is proven after it.
#include <assert.h>

int a[2];
int i = -1;

int main(void)
{
    a[i] = 1;
    assert(a[0] == 0);
    return 0;
}
