// That the byte comes again is not modelled.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    if (ungetc('a', stdin) == 'a')
        assert(getchar() == 'a');
    return 0;
}
