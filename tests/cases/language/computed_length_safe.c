#include <assert.h>
int main(void)
{
    int n = 3;
    int a[n - 1];
    a[1] = 1;
    assert(sizeof a == 8);
    return 0;
}
