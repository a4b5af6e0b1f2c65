/* The third call may come between the others: 231 is allowed, and not explored. */
#include <assert.h>
static int n;
static int digit(int d)
{
    n = n * 10 + d;
    return d;
}
int main(void)
{
    int sum = digit(1) + digit(2) + digit(3);
    assert(sum == 6);
    return 0;
}
