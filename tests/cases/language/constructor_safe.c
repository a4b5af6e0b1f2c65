// Constructors run before main, lower numbers first.
#include <assert.h>
static int order;
__attribute__((constructor(202))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
void last(void) __attribute__((constructor));
void last(void) { order = order * 10 + 3; }
int main(void) {
    assert(order == 123);
    return 0;
}
