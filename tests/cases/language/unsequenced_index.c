/* The index and the value: nothing sequences the read of `i` and its change. */
#include <assert.h>
int main(void)
{
    int a[4] = { 0 }, i = 1;
    a[i] = i++;
    assert(i == 2);
    return 0;
}
