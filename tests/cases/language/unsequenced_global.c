/* Two changes of a global, and nothing sequences them. */
#include <assert.h>
static int g;
int main(void)
{
    int a[4] = { 0 }, i = 1;
    a[0] = g++ + g++;
    assert(i == 1);
    return 0;
}
