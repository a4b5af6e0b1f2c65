#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int x;
static void one(void) { x = 1; }
static void two(void) { x = 2; }
int main(void) {
    void (*f)(void) = __VERIFIER_nondet_bool() ? one : two;
    f();
    assert(x == 2);
    return 0;
}
