// How far two objects are from each other is for the layout to say.
#include <assert.h>
int a[2], b[2];
int main(void)
{
    assert(&a[1] - &a[0] == 1);
    assert(&b[0] - &a[0] != 0);
    return 0;
}
