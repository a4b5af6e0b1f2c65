// Memory from calloc is zero, memory from malloc is arbitrary.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    unsigned char *p = calloc(2, 2);
    assert(p[3] == 0);
    free(p);
    return 0;
}
