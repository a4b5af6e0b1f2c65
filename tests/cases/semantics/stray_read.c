// What a read outside of its object gives is not known: neither proof nor violation.
#include <assert.h>

int a[2];
int i = 2;

int main(void)
{
    int value = a[i];
    assert(value == 5);
    return 0;
}
