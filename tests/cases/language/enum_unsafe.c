#include <assert.h>
enum colour { RED, GREEN = 5, BLUE };
enum { LIMIT = BLUE * 2 };
static enum colour next(enum colour c) { return c == RED ? GREEN : BLUE; }
int main(void) {
    assert(BLUE == 2);
    assert(LIMIT == 12);
    assert(next(next(RED)) == BLUE);
    return 0;
}
