#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *name = argv ? "yes" : "no";
    printf("<%s>\n", name);
    assert(0);
    return 0;
}
