// Since C23 true is a bool and known to #if; before, stdbool.h makes it an int.
#include <assert.h>
#if true && __STDC_VERSION__ >= 202311L
#define KNOWN 1
#else
#define KNOWN 0
#endif
#include <stdbool.h>
int main(void)
{
    assert(KNOWN);
    assert(_Generic(true, bool: 1, default: 0) && sizeof false == 1);
    assert(true + true == 2);
    return 0;
}
