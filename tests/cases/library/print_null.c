#include <assert.h>
#include <stdio.h>

/* Undefined; glibc prints "(null)" and goes on. */
int main(int argc, char **argv)
{
    const char *name = 0;
    printf("<%s>\n", name);
    assert(0);
    return 0;
}
