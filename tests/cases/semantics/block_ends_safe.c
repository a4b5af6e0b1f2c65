// Addresses in one block are in order.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    if (!p)
        return 0;
    int n = 0;
    for (char *at = p; at < p + 4; at++)
        n++;
    assert(n == 4);
    free(p);
    return 0;
}
