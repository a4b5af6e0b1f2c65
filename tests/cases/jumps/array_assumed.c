// Whether an array was changed is not followed: it is taken to hold what was written.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
static void leave(int *a) { a[1] = 2; longjmp(context, 1); }
int main(void)
{
    int a[2] = { 0, 0 };
    if (setjmp(context) == 0)
        leave(a);
    assert(a[1] == 2);
    return 0;
}
