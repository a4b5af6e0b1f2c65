// Floating and other arguments in turns.
#include <assert.h>
#include <stdarg.h>
static double sum(int n, ...)
{
    va_list all;
    va_start(all, n);
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += va_arg(all, int);
        s += va_arg(all, double);
    }
    va_end(all);
    return s;
}
int main(void)
{
    assert(sum(2, 1, 0.5, 2, 0.25f) == 3.75);
    return 0;
}
