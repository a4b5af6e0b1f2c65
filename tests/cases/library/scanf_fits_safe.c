// %ld stores a long.
#include <stdio.h>
int main(void)
{
    long n;
    return scanf("%ld", &n) == 1;
}
