// The text is gone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int n = 0;
    char *text = malloc(4);
    if (!text)
        return 0;
    strcpy(text, "123");
    free(text);
    sscanf(text, "%d", &n);
    return 0;
}
