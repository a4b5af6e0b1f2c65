#include <assert.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/time.h>
int main(void)
{
    double n = NAN;
    assert(isunordered(n, 1.0) && isunordered(1.0, n) && !isunordered(1.0, 2.0));
    assert(islessgreater(1.0, 2.0) && !islessgreater(n, 1.0) && !islessgreater(1.0, 1.0));
    assert(isgreaterequal(2.0, 2.0) && !islessequal(n, 2.0));
    struct timeval a = {1, 600000}, b = {2, 500000}, c;
    timeradd(&a, &b, &c);
    assert(c.tv_sec == 4 && c.tv_usec == 100000 && timercmp(&a, &b, <));
    assert(S_ISFIFO(010644) && !S_ISLNK(010644));
    return 0;
}
