void out(long long);
typedef int op(int, int);
static op add, sub, mul;
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op *table[] = {add, sub, &mul};
static op *pick(int i) { return table[i]; }
static int (*(*chooser)(int))(int, int) = pick;
static int fold(op *f, const int *p, int n) { int r = p[0]; for (int i = 1; i < n; i++) r = f(r, p[i]); return r; }
struct object { int state; void (*step)(struct object *, int); };
static void grow(struct object *o, int n) { o->state += n; }
static void flip(struct object *o, int n) { o->state = -o->state; o->step = grow; }
int main(void) {
    int v[] = {9, 4, 2};
    for (int i = 0; i < 3; i++) out(fold(table[i], v, 3));
    out(chooser(1)(10, 3)); out((**add)(1, 2)); out((&mul)(3, 4));
    out(table[0] == add); out(table[1] == mul);
    struct object o = {5, flip};
    o.step(&o, 1);
    o.step(&o, 2);
    out(o.state);
    void *erased = (void *)sub;
    out(((op *)erased)(8, 1));
    op *null = 0;
    out(null == 0); out(!pick(0));
    return 0;
}
