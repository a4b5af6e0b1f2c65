#include <assert.h>
struct point { int x, y; };
static int area(const struct point *p) { return p->x * p->y; }
int main(void) {
    struct point *p = &(struct point){3, 4};
    p->x++;
    assert(area(p) == 12);
    assert(area(&(struct point){.y = 2, .x = 5}) == 10);
    assert(((int[]){7, 8, 9})[1] == 8);
    return 0;
}
