#include <assert.h>
#include <stdio.h>

int main(void)
{
    char letter[1] = "a";
    int got = scanf("%c", letter);
    assert(got == 1 || letter[0] == 'a');
    return 0;
}
