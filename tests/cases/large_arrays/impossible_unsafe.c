/* The same with an array that exists, and nobody knows what it holds. */
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[n];
    int i = 2 * n / 3;
    if (i < n) {
        int x = a[i];
        assert(a[i] != x || n > 5);
    }
    return 0;
}
