/* The list is a constant, which strsep cuts into fields. */
#define _GNU_SOURCE
#include <string.h>

int main(void)
{
    char *rest = "a,b";
    return strsep(&rest, ",") == 0;
}
