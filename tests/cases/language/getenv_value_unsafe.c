/* A variable holds anything: no number, or one that is too large. */
#include <stdlib.h>
static int table[4];
int main(void)
{
    char *level = getenv("LEVEL");
    return level && level[0] ? table[level[0] - '0'] : 0;
}
