// Behind its end a text may be appended, also from the same array; flags for other bases.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[24] = "ab";
    int n = 3 + snprintf(line + 3, sizeof line - 3, "%s!", line);
    assert(strcmp(line + 3, "ab!") == 0 && n == 6);
    snprintf(line, sizeof line, "%#x %#o %#06x %#x", 255, 8, 10, 0);
    assert(strcmp(line, "0xff 010 0x000a 0") == 0);
    return 0;
}
