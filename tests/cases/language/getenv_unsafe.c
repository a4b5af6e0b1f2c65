/* The variable may not be set. */
#include <stdlib.h>
int main(void)
{
    char *home = getenv("HOME");
    return *home == '/';
}
