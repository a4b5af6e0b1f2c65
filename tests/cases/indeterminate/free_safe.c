// Freed only where it was allocated.
#include <stdlib.h>

struct box {
    int full;
    char *data;
};

int main(void)
{
    struct box *b = malloc(sizeof *b);
    if (!b)
        return 0;
    b->full = 0;
    if (b->full)
        free(b->data);
    free(b);
    return 0;
}
