// C defines setjmp as a condition, not as a value to keep; compilers go on as one expects.
#include <assert.h>
#include <setjmp.h>
static jmp_buf context;
int main(void)
{
    int value = setjmp(context);
    if (value == 0)
        longjmp(context, 3);
    assert(value == 3);
    return 0;
}
