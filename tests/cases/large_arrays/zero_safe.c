/* calloc gives zeros, however many. */
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n == 0 || i >= n)
        return 0;
    int *a = calloc(n, sizeof(int));
    if (a)
        assert(a[i] == 0);
    free(a);
    return 0;
}
