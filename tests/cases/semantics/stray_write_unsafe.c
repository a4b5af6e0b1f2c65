// The violation does not depend on what the stray write does.
#include <assert.h>

int a[2];
int i = -1;

int main(void)
{
    a[i] = 1;
    assert(i >= 0);
    return 0;
}
