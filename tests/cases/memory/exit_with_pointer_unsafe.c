// At exit nothing names the block any more.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    p = 0;
    exit(0);
}
