// A macro of a header that is not included, not a function without effects.
#include <assert.h>
int main(void)
{
    assert(S_ISDIR(1) != 5);
    return 0;
}
