// No argument is there: what va_arg gives is undefined, and not the end of the execution.
#include <assert.h>
#include <stdarg.h>
static int first(int n, ...)
{
    va_list all;
    va_start(all, n);
    int value = va_arg(all, int);
    va_end(all);
    return value;
}
int main(void)
{
    int value = first(0);
    assert(value != value);
    return 0;
}
