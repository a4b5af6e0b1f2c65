#include <assert.h>

typedef int four __attribute__((vector_size(16)));
static four twice(four x) { return x + x; }
static int sum(four *x) { return (*x)[0] + (*x)[1]; }

int main(void) {
    assert(sizeof(four) == 16 && _Alignof(four) == 16);
    return 0;
}
