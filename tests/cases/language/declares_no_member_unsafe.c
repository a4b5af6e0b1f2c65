// The struct has one member.
#include <assert.h>
struct pair { int a, b; };
struct s { int x; struct pair; };
int main(void)
{
    assert(sizeof(struct s) == 3 * sizeof(int));
    return 0;
}
