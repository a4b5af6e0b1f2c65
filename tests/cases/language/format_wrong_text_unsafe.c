/* What stands there is known. */
#include <assert.h>
#include <stdio.h>
int main(void)
{
    char text[16];
    snprintf(text, sizeof text, "%s=%d", "x", -5);
    assert(text[2] != '-');
    return 0;
}
