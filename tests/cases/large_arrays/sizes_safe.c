/* A byte of an element is no element. */
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || i >= n)
        return 0;
    int *a = malloc(n * sizeof(int));
    int x = a[i];
    unsigned char y = ((unsigned char *)a)[4 * i];
    assert((unsigned char)x == y);
    return 0;
}
