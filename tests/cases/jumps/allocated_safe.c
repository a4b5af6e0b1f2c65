// The block is freed before the jump.
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf context;
static void work(void)
{
    char *block = malloc(4);
    if (!block)
        return;
    free(block);
    longjmp(context, 1);
}
int main(void)
{
    if (setjmp(context) == 0)
        work();
    return 0;
}
