// A file of others holds anything.
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *f = fopen("settings", "r");
    if (!f)
        return 0;
    fprintf(stderr, "reading\n");
    int c = fgetc(f);
    assert(c == 'a' || c == EOF);
    fclose(f);
    return 0;
}
