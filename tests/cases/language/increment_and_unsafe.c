/* `&&` behind `++` is the operator, not the address of a label. */
#include <assert.h>
int main(void)
{
    int i = 1, m = 1;
    if (i++ &&m)
        assert(0);
    return 0;
}
