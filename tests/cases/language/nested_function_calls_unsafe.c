#include <assert.h>
static int depth;
static int id(int x) { depth++; return x; }
int main(void) {
    int r = id(id(id(1)) + id(2));
    assert(r == 3 && depth == 3);
    return 0;
}
