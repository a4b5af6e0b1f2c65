#include <assert.h>
int a[4];
int main(void)
{
    int n = 0;
    for (int *p = a; p < a + 4; p++)
        n++;
    assert(n == 4);
    return 0;
}
