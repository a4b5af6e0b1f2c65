#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static char *block;
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 4 || n > 2000000000)
        return 0;
    block = malloc(n);
    block[3] = 1;
    return 0;
}
