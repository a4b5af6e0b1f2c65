// strcpy may copy in any order; taking away the first character needs memmove.
#include <assert.h>
#include <string.h>
int main(void)
{
    char name[] = "xname";
    strcpy(name, name + 1);
    assert(strcmp(name, "name") == 0);
    return 0;
}
