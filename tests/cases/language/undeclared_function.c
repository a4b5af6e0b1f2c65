// Neither declared nor defined: more likely a macro of a header than a function without effects.
#include <assert.h>
int main(void)
{
    assert(nowhere_to_be_found(1) != 5);
    return 0;
}
