#include <assert.h>
#define UNUSED __attribute__((unused))
#define ALIGNED(n) __attribute__((aligned(n)))
__attribute__((noreturn)) extern void abort(void);
static inline __attribute__((always_inline, unused)) int twice(int x) { return 2 * x; }
static int data __attribute__((aligned(16), section("mine"))) = 3;
struct aligned { char c; } __attribute__((aligned(8)));
int main(void) {
    int unused UNUSED;
    struct ALIGNED(32) wide { char c; };
    assert(sizeof(struct wide) == 32);
    assert(twice(data) == 6);
    assert(sizeof(struct aligned) == 8);
    assert((unsigned long)&data % 16 == 0);
    return 0;
}
