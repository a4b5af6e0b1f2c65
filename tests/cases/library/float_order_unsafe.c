#include <assert.h>
#include <math.h>
int main(void)
{
    assert(islessgreater(NAN, 1.0));
    return 0;
}
