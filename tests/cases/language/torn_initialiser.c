// gcc zeroes `rest`, clang keeps it: no answer.
#include <assert.h>
struct part { int first, rest; };
int main(void)
{
    struct part p = {1, 2};
    struct { struct part p; } whole = {.p = p, .p.first = 3};
    assert(whole.p.rest == 0);
    return 0;
}
