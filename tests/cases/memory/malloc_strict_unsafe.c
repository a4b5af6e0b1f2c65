// A violation does not rest on there being enough memory.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    *p = 1;
    return 0;
}
