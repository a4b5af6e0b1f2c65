/* Under ILP32 `2 * n` wraps only for arrays that cannot exist: what is read is what was there. */
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[n];
    int i = 2 * n / 3;
    if (i < n) {
        int x = a[i];
        assert(a[i] == x);
    }
    return 0;
}
