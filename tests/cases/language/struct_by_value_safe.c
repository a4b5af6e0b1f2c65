#include <assert.h>
struct pair { int x; char y[3]; };
static struct pair change(struct pair p) {
    p.x++;
    p.y[2] = 'z';
    return p;
}
int main(void) {
    struct pair a = {1, {'a', 'b', 'c'}};
    struct pair b = change(a);
    assert(a.x == 1 && a.y[2] == 'c');
    assert(b.x == 2 && b.y[0] == 'a' && b.y[2] == 'z');
    a = b;
    assert(a.y[2] == 'z');
    return 0;
}
