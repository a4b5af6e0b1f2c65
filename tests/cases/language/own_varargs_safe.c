#include <assert.h>
static int first(int n, ...) { return n; }
int main(void) {
    assert(first(2, 3, 4L, "x") == 2);
    return 0;
}
