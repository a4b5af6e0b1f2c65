/* Who asks twice gets the same answer; what a set variable holds is not modelled. */
#include <stdlib.h>
int main(void)
{
    return getenv("HOME") && *getenv("HOME") == '/';
}
