void out(long long);
struct p { int x, y; };
struct s { char name[6]; struct p p[2]; int *ptr; union { int i; char c[4]; } u; };
static int g = 5;
static struct s t[] = {
    {"ab", {{1, 2}, {3}}, &g, {0x41424344}},
    {.p[1].y = 9, .name = {'x', [3] = 'z'}, .u.c = "hi"},
    [3] = {{0}, {[1] = {.y = 4}}},
};
static char *names[] = {[2] = "two", "three", [0] = "zero"};
static int a[] = {1, [5] = 6, 7, [2] = 3};
static const char text[3] = "xyz";
static int *mid = &a[2], *const end = a + 7;
static long diff = sizeof a / sizeof *a;
int main(void) {
    out(sizeof t / sizeof t[0]);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 6; j++) out(t[i].name[j]);
        out(t[i].p[0].x + 10 * t[i].p[0].y + 100 * t[i].p[1].x + 1000 * t[i].p[1].y);
        out(t[i].ptr == &g);
        out(t[i].u.i);
    }
    out(sizeof names / sizeof names[0]);
    out(names[1] == 0); out(names[3][1]); out(names[0][0]);
    for (int i = 0; i < 7; i++) out(a[i]);
    out(text[2]); out(*mid); out(end - mid); out(diff);
    struct p local = {.y = 3}, nested[2] = {1, 2, 3};
    out(local.x); out(local.y); out(nested[1].x); out(nested[1].y);
    int scalar = {8};
    out(scalar);
    int range[6] = {[1 ... 3] = 4, 5};
    for (int i = 0; i < 6; i++) out(range[i]);
    char empty[4] = "";
    out(empty[3]);
    struct p from = (struct p){scalar, local.y};
    out(from.x * from.y);
    return 0;
}
