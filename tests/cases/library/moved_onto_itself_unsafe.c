// Moving a block onto itself is an access as well.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    memmove(p, p, 4);
    return 0;
}
