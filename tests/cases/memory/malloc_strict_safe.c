// There is enough memory: an assumption of proofs, which goes away if failing allocations are tried.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    free(p);
    return 0;
}
