#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    free(p);
    assert(0);
    return 0;
}
