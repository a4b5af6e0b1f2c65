#include <assert.h>
static unsigned fact(unsigned n) { return n == 0 ? 1 : n * fact(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 || odd(n - 1); }
static int odd(int n) { return n != 0 && even(n - 1); }
int main(void) {
    assert(fact(4) == 12);
    assert(even(4) && odd(3) && !even(3));
    return 0;
}
