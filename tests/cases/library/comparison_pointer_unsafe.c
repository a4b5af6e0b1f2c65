// Nor is it through a pointer.
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[] = "abc", b[] = "abd";
    int (*compare)(const char *, const char *) = strcmp;
    assert(compare(a, b) >= -1);
    return 0;
}
