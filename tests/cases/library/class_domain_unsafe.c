// A number that is no character.
#include <ctype.h>

int main(void)
{
    int c = 1000;
    return isalpha(c) ? 1 : 0;
}
