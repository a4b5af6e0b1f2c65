// No object is in the first page, or in the last.
#include <assert.h>
#include <stdlib.h>
static int is_error(void *p) {
    return (unsigned long)p >= (unsigned long)-4095L;
}
int main(void) {
    char *p = malloc(1);
    if (!p)
        return 0;
    assert(!is_error(p) && (unsigned long)p > 64);
    free(p);
    return 0;
}
