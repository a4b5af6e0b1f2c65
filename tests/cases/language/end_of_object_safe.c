// The end of an array is a place of that array.
#include <assert.h>
static int a[3];
int main(void)
{
    int n = 0;
    for (int *p = a; p != a + 3; p++)
        n++;
    assert(n == 3);
    return 0;
}
