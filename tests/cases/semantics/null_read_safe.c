// A read through null ends the program before the assertion.
#include <assert.h>

int main(void)
{
    int *p = 0;
    int value = *p;
    assert(value != value);
    return 0;
}
