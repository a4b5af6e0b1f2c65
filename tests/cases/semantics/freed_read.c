// A freed block keeps what it holds, unless memory safety is the question.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 7;
    free(p);
    assert(*p == 7);
    return 0;
}
