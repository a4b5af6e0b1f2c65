// The input has 2^32 values; an engine that enumerates may give up, but not on the violation.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int bit = x & 1;
    assert(bit == 0);
    return 0;
}
