// The same seed gives the same numbers, which is not modelled.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    srand(1);
    int a = rand();
    srand(1);
    assert(a == rand());
    return 0;
}
