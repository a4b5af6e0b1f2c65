// The jump passes the free.
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf context;
static void work(void)
{
    char *block = malloc(4);
    if (!block)
        return;
    longjmp(context, 1);
    free(block);
}
int main(void)
{
    if (setjmp(context) == 0)
        work();
    return 0;
}
