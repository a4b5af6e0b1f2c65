#include <assert.h>
struct in { int v; };
struct out { struct in a[2]; struct in *p; };
int main(void) {
    struct out x = {{{1}, {2}}, 0}, y;
    y = x;
    y.p = &y.a[1];
    x = y;
    x.p->v = 7;
    assert(y.a[1].v == 2 && x.a[1].v == 2);
    int a, b;
    a = b = 3;
    assert(a == 3 && b == 3);
    return 0;
}
