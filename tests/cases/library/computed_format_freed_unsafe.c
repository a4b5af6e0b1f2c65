// The format itself is gone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *format = malloc(8);
    if (!format)
        return 0;
    strcpy(format, "x\n");
    free(format);
    printf(format);
    return 0;
}
