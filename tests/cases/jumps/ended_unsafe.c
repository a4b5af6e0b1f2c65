// The function that called setjmp has returned.
#include <setjmp.h>
static jmp_buf context;
static int save(void)
{
    if (setjmp(context))
        return 1;
    return 0;
}
int main(void)
{
    if (save() == 0)
        longjmp(context, 1);
    return 0;
}
