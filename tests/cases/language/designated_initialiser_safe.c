#include <assert.h>
struct s { int a; int b[3]; struct { char c, d; } e; };
static struct s g = {.e.d = 4, .b = {[2] = 9, [0] = 7}};
int main(void) {
    int a[] = {[3] = 1, 2, [1] = 5};
    assert(sizeof a / sizeof a[0] == 5);
    assert(a[0] == 0 && a[1] == 5 && a[3] == 1 && a[4] == 2);
    assert(g.a == 0 && g.b[0] == 7 && g.b[1] == 0 && g.b[2] == 9 && g.e.c == 0 && g.e.d == 4);
    int r[4] = {[0 ... 2] = 6};
    assert(r[0] == 6 && r[2] == 6 && r[3] == 0);
    return 0;
}
