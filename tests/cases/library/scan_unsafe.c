// The word is longer than its place.
#include <stdio.h>

int main(void)
{
    char word[3];
    return sscanf("abc", "%s", word);
}
