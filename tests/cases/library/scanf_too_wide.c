// %ld stores a long: not into an int.
#include <stdio.h>
int main(void)
{
    int n;
    return scanf("%ld", &n) == 1;
}
