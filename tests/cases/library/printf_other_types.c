// Arguments of other types than the conversions ask for, in a text that is looked at.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    char text[40];
    int n = 1;
    sprintf(text, "%ld", n);
    assert(text[0] == '1');
    return 0;
}
