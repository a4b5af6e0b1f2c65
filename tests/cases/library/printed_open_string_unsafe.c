// `%s` of an array without a zero reads beyond it.
#include <stdio.h>

int main(void)
{
    char open[2] = { 'a', 'b' };
    fprintf(stderr, "%s\n", open);
    return 0;
}
