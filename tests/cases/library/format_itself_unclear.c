// snprintf writes while it reads: to append this way is undefined.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[16] = "ab";
    snprintf(line, sizeof line, "%s!", line);
    assert(strcmp(line, "ab!") == 0);
    return 0;
}
