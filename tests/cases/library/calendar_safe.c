#include <assert.h>
#include <time.h>
int main(void)
{
    time_t t = 951782400;
    struct tm when;
    assert(gmtime_r(&t, &when) == &when);
    assert(when.tm_year == 100 && when.tm_mon == 1 && when.tm_mday == 29 && when.tm_wday == 2);
    when.tm_mday += 366;
    assert(timegm(&when) == t + 366 * 86400 && when.tm_year == 101 && when.tm_mon == 2);
    return 0;
}
