// Nothing depends on what is printed: an assumption.
#include <stdio.h>
int main(void)
{
    printf("%d\n", 1.5);
    printf("%ld\n", 1);
    return 0;
}
