// An element of a string literal is a constant for compilers.
#include <assert.h>

static char first = "abc"[0];
static int sum = "abc"[1] + 1;
static const char both[] = {*"x", "xy"[1]};

int main(void) {
    assert(first == 'a' && sum == 'c');
    assert(both[0] == 'x' && both[1] == 'x');
    return 0;
}
