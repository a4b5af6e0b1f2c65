// A char is passed as an int; gcc ends the process that asks for a char.
#include <assert.h>
#include <stdarg.h>
static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
    char c = va_arg(list, char);
    va_end(list);
    return c;
}
int main(void)
{
    assert(first(1, 'a') == 'a');
    return 0;
}
