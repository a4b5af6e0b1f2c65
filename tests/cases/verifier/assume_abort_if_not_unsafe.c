#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
void assume_abort_if_not(int cond) {
    if (!cond)
        abort();
}
int main(void) {
    _Bool b = __VERIFIER_nondet_bool();
    assume_abort_if_not(1);
    if (!b)
        reach_error();
    return 0;
}
