/* Two reads at the same index of an array that nobody writes see the same; at others they need not. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n <= 1000000000);
    int a[n];
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < n && j >= 0 && j < n);
    int x = a[i], y = a[j];
    assert(x == y);
    return 0;
}
