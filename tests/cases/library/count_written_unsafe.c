// `%n` writes.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *count = malloc(sizeof *count);
    free(count);
    printf("x%n", count);
    return 0;
}
