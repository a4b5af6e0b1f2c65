// `%s` of a null pointer: glibc prints "(null)", C has no meaning for it.
#include <stdio.h>

int main(void)
{
    char *s = 0;
    printf("%s\n", s);
    return 0;
}
