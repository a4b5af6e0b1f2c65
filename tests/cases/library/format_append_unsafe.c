// Zero has no prefix.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[8];
    snprintf(line, sizeof line, "%#x", 0);
    assert(strcmp(line, "0x0") == 0);
    return 0;
}
