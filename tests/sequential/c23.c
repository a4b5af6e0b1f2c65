/* What C23 adds and gcc 12 knows already, or GNU C has had before. */
#include <stddef.h>
#include <stdbool.h>
void out(long long);
[[nodiscard]] int nd(void) { return 3; }
[[maybe_unused]] static int mu(int, [[maybe_unused]] int b) { return b; }
struct [[gnu::packed]] pk { char a; int b; };
struct al { char a; int b [[gnu::aligned(16)]]; };
_Static_assert(sizeof(int) == 4);
int lab(int x) {
    switch (x) {
    case 1:
        int y = 3;
        return y;
        [[fallthrough]];
    case 2: x = 9;
    default:
    }
    goto end;
end:
    int z = x;
    out(z);
last:
}
int main(void) {
    out(0b1011);
    int a[3] = {}; out(a[2]);
    struct { int x, y; } s = {}; out(s.y);
    out(sizeof(struct pk)); out(nd()); out(mu(1, 2)); out(offsetof(struct al, b));
    lab(1); lab(2); lab(5);
    typeof(a[0]) t = 4; out(t);
    bool b = true; out(b); out(false); out(sizeof(bool));
    int x = 1; { int x [[maybe_unused]] = 2; out(x); } out(x);
    return 0;
}
