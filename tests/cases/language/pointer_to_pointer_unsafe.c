#include <assert.h>
static int x = 1, y = 2;
static void redirect(int **where) { *where = &y; }
int main(void) {
    int *p = &x;

    *p = 9;
    assert(y == 9 && x == 1);
    return 0;
}
