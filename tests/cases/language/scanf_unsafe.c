// What scanf reads can be any number, and it can fail.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 3;
    int n = scanf("%d", &x);
    assert(n >= -1 && n <= 1);
    assert(n == 1 || x == 3);
    assert(n < 1 || x != 3);
    return 0;
}
