// An attribute that nobody has heard of is an assumption.
#include <assert.h>

static int __attribute__((of_another_compiler)) x = 1;

int main(void) {
    assert(x == 1);
    return 0;
}
