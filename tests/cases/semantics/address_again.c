// A new block may be where a freed one was; ours never is, which is an assumption.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    uintptr_t before = (uintptr_t)p;
    free(p);
    char *q = malloc(4);
    assert((uintptr_t)q != before);
    return 0;
}
