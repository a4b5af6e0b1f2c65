#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int a[4] = {0};
    unsigned i = __VERIFIER_nondet_bool() + 2u * __VERIFIER_nondet_bool();
    a[i] = 7;
    assert(a[0] + a[1] + a[2] + a[3] == 7);
    assert(a[3] == 0);
    return 0;
}
