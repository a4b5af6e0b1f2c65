/* As many arguments are taken as were given. */
#include <stdarg.h>
static int last(int n, ...)
{
    va_list list;
    int result = 0;
    va_start(list, n);
    while (n--)
        result = va_arg(list, int);
    va_end(list);
    return result;
}
int main(void)
{
    return last(2, 0, 0);
}
