// A tag or the name of a type alone declares no member; only a struct without a tag does.
#include <assert.h>
struct pair { int a, b; };
typedef struct { int c; } single;
struct s { int x; struct pair; single; struct later; struct { int y; }; };
int main(void)
{
    struct s s = {1, {2}};
    assert(sizeof s == 2 * sizeof(int));
    assert(s.x == 1 && s.y == 2);
    return 0;
}
