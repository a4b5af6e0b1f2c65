/* An array that is written after all. */
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || i >= n)
        return 0;
    int *a = malloc(n * sizeof(int));
    int x = a[i];
    a[0] = 1;
    assert(x == a[i]);
    return 0;
}
