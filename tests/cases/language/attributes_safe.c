#include <assert.h>
__attribute__((noreturn)) extern void abort(void);
static inline __attribute__((always_inline, unused)) int twice(int x) { return 2 * x; }
static int data __attribute__((aligned(16), section("mine"))) = 3;
struct aligned { char c; } __attribute__((aligned(8)));
int main(void) {
    int unused __attribute__((unused));
    assert(twice(data) == 6);
    assert(sizeof(struct aligned) == 8);
    assert((unsigned long)&data % 16 == 0);
    return 0;
}
