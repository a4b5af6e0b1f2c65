// A string is printed after it was freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(4);
    if (!s)
        return 0;
    strcpy(s, "abc");
    free(s);
    printf("%d %s\n", 1, s);
    return 0;
}
