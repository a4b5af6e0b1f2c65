#include <assert.h>
static int next(void) {
    static int n = 3;
    return n++;
}
int main(void) {
    next();
    assert(next() == 4);
    return 0;
}
