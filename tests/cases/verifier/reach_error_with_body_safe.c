#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR:
        reach_error();
    }
}
int main(void) {
    __VERIFIER_assert(1 + 1 == 2);
    return 0;
}
