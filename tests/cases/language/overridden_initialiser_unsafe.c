// C11 6.7.9 paragraph 19: a later initialiser takes the place of an earlier one.
#include <assert.h>
struct part { int a, b; };
struct whole {
    struct part p;
    union { int number; char bytes[4]; } u;
    char text[8];
};
static struct whole fixed = {.p.a = 1, .p = {.b = 2}, .u.number = -1, .u.bytes = {3}, .text = "abcdef", .text = "x"};
static struct part list[] = {{}, {1}, {}};
int main(void)
{
    int n = 5;
    struct whole local = {.p.a = n, .p = {.b = n}, .u.number = n, .u.bytes[1] = 1};
    assert(sizeof list / sizeof *list == 3);
    assert(fixed.p.b == 2 && fixed.u.number == 3 && fixed.text[3] == 0);
    assert(local.p.b == 5 && local.u.bytes[1] == 1);
    assert(local.p.a == 5);
    return 0;
}
