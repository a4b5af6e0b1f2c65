// gcc 12 without -std: C17.
#include <assert.h>
int main(void)
{
    assert(__STDC_VERSION__ == 201710L);
    return 0;
}
