/* What is printed is read. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *text = calloc(4, 1);
    free(text);
    puts(text);
    return 0;
}
