/* Two variables: nothing meets. */
#include <assert.h>
int main(void)
{
    int a[4] = { 0 }, i = 1, j = 2;
    a[i++] = j++;
    a[j] = i++ + j;
    i = a[1] + i;
    assert(i == 5);
    return 0;
}
