// Whatever feof says.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n = 0;
    if (!feof(stdin) && getchar() != EOF)
        n = 1;
    assert(n == 0 || n == 1);
    return 0;
}
