// What is freed was never allocated: nobody has set `data`.
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
    free(b->data);
    free(b);
    return 0;
}
