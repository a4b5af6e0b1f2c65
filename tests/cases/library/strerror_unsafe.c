// What the library says is any text of some length.
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char block[16];
    fprintf(stderr, "%s\n", strerror(ENOENT));
    strcpy(block, strerror(EINVAL));
    return 0;
}
