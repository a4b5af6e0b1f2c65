/* A local that is defined const, written to. */
#include <assert.h>

int main(void)
{
    const int one = 1;
    *(int *)&one = 2;
    assert(one == 2);
    return 0;
}
