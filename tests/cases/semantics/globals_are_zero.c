#include <assert.h>
static int x, a[3], *p;
static struct { char c; double d; } s;
int main(void) {
    static long l;
    assert(x == 0 && a[2] == 0 && p == 0 && s.c == 0 && s.d == 0.0 && l == 0);
    return 0;
}
