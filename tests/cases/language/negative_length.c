// C11 6.7.6.2 paragraph 5: undefined.
#include <assert.h>
int main(void)
{
    int n = -1;
    int a[n];
    assert(sizeof a == 1);
    return 0;
}
