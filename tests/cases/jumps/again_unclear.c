// The same setjmp was executed again, with another buffer: which locals had changed is not known.
#include <setjmp.h>
static jmp_buf contexts[2];
int main(void)
{
    for (volatile int i = 0; i < 2; i++)
        if (setjmp(contexts[i]) != 0)
            return 0;
    longjmp(contexts[0], 1);
}
