// fopen may fail.
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("a", "w");
    fprintf(f, "%d\n", 1);
    fclose(f);
    return 0;
}
