// What is read is what was written: nothing is told of other bytes.
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *f = tmpfile();
    if (!f)
        return 0;
    if (fputc('a', f) == 'a') {
        rewind(f);
        int c = fgetc(f);
        assert(c == 'a' || c == EOF);
    }
    fclose(f);
    return 0;
}
