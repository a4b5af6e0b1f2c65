// A function with further arguments that nobody calls.
#include <assert.h>
#include <stdarg.h>

int total(int n, ...)
{
    int sum = 0;
    va_list args;
    va_start(args, n);
    while (n-- > 0)
        sum += va_arg(args, int);
    va_end(args);
    return sum;
}

int main(void)
{
    int n = 1;
    assert(n == 1);
    return 0;
}
