/* Any index inside of an array of any length. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 1000000000 || i >= n)
        return 0;
    char *a = malloc(n);
    char c = a[i];
    free(a);
    return c;
}
