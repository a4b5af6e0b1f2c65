#include <assert.h>
#include <stdio.h>

/* Compilers warn. */
int main(void)
{
    int n = 3;
    scanf("%d", n);
    assert(n == 3);
    return 0;
}
