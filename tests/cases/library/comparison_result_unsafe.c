// -1 is not the only negative number.
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[] = "abc", b[] = "abd";
    int r = strcmp(a, b);
    assert(r == -1);
    return 0;
}
