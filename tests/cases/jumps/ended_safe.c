// The function that called setjmp has returned, and saved again since.
#include <setjmp.h>
static jmp_buf context;
static int save(int again)
{
    if (setjmp(context))
        return 1;
    if (again)
        longjmp(context, 1);
    return 0;
}
int main(void)
{
    if (save(0) == 0)
        return save(1) != 1;
    return 0;
}
