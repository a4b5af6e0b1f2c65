// Domain and range errors (C11 7.12.1, glibc).
#include <assert.h>
#include <errno.h>
#include <math.h>
int main(void)
{
    errno = 0;
    double r = sqrt(-1.0);
    assert(r != r && errno == EDOM);
    errno = 0;
    assert(sqrt(4.0) == 2.0 && errno == 0);
    fdim(1.7e308, -1.7e308);
    assert(errno == ERANGE);
    return 0;
}
