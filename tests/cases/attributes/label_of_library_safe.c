// A name with the label of a library function is that function.
#include <assert.h>
#include <stddef.h>
size_t length(const char *s) __asm__("strlen");
int main(void)
{
    assert(length("abc") == 3);
    return 0;
}
