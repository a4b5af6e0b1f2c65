#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char c = __VERIFIER_nondet_char();
    assert(c >= -127 && c <= 127);
    return 0;
}
