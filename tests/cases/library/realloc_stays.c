// realloc may leave the block where it was; ours never does, which is an assumption.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    if (!p)
        return 0;
    uintptr_t before = (uintptr_t)p;
    char *q = realloc(p, 2);
    assert(!q || (uintptr_t)q != before);
    return 0;
}
