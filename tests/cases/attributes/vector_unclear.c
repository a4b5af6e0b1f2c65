#include <assert.h>

typedef int four __attribute__((vector_size(16)));

int main(void) {
    four a = {1, 2, 3, 4}, b = {1, 1, 1, 1};
    four c = a + b;
    assert(c[0] == 2);
    return 0;
}
