#include <assert.h>
struct cell { char c; int v; } cells[3] = {{'a', 1}, {'b', 2}};
int main(void) {
    struct cell *p = cells;
    p++;
    p->v += 10;
    p[1].v = p->v;
    assert(cells[1].v == 12);
    assert(cells[2].v == 2);
    assert(cells[2].c == 0);
    return 0;
}
