// A format that is handed on is read where it is printed; the result is exact, or an error.
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfprintf(stderr, format, args);
    va_end(args);
    return n;
}

int main(void)
{
    long n = 0;
    signed char small = 0;
    int k = printf("%ld %5s%ln|%c%hhn\n", -12345L, "abc", &n, 'x', &small);
    assert(n == 12 && small == 14);
    assert(k == 15 || k < 0);
    k = say("%d-%03u%%", 7, 42u);
    assert(k == 6 || (k < 0 && errno > 0));
    k = say("%f", 1.5);
    assert(k > 0 || k < 0);
    return 0;
}
