/* Two changes of `i`, and nothing sequences them. */
#include <assert.h>
int main(void)
{
    int a[4] = { 0 }, i = 1;
    i = i++ + a[0];
    assert(i == 1);
    return 0;
}
