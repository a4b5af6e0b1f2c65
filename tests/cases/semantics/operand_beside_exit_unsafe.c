// `*p` may come first, and the block is freed.
#include <stdlib.h>

static int stop(void) { exit(0); }

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    return stop() + *p;
}
