// A stream is used after it was closed.
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("a", "w");
    if (!f)
        return 1;
    fclose(f);
    fputs("late", f);
    return 0;
}
