// At exit the block is still named by a local variable.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    exit(0);
}
