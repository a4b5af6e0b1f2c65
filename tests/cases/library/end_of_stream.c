// Whether a stream is at its end is not remembered.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    while (getchar() != EOF)
        ;
    assert(feof(stdin) || ferror(stdin));
    return 0;
}
