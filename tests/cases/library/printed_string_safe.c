// A string is printed before it is freed, and a precision ends one without a zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(4);
    char open[2] = { 'a', 'b' };
    if (!s)
        return 0;
    strcpy(s, "abc");
    printf("%d %s %.2s %.*s\n", 1, s, open, 2, open);
    free(s);
    return 0;
}
