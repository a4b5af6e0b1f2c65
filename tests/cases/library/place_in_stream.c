// Where a stream is is not remembered: nothing is said about what follows.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("data", "r");
    if (!f)
        return 0;
    if (fseek(f, 10, SEEK_SET) == 0)
        assert(ftell(f) == 10 || ftell(f) == -1);
    fclose(f);
    return 0;
}
