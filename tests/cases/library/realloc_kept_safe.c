// What a block held it holds afterwards, wherever it is.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    if (!p)
        return 0;
    p[1] = 7;
    char *q = realloc(p, 2);
    if (q == NULL)
        return 0;
    assert(q[1] == 7);
    char *end = q + 2;
    for (char *at = q; at != end; at++)
        *at = 1;
    free(q);
    return 0;
}
