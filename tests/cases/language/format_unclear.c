/* Numbers with a point are not modelled. */
#include <assert.h>
#include <stdio.h>
int main(void)
{
    char text[16];
    snprintf(text, sizeof text, "%f", 1.5);
    assert(text[0] != '1');
    return 0;
}
