#include <assert.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const table[2])(int, int) = {add, &sub};
static int apply(int (*f)(int, int), int x) { return (*f)(x, 1); }
int main(void) {
    assert(apply(table[0], 4) == 5);
    assert(apply(table[1], 4) == 3);
    assert(table[0] != table[1]);
    return 0;
}
