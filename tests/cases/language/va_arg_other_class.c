// A double that is asked for as an int: on most machines the two have different registers.
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
    assert(first(0, 1.0) == 0);
    return 0;
}
