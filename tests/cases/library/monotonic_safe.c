// This clock never goes back.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    assert(a.tv_nsec >= 0 && a.tv_nsec < 1000000000);
    return 0;
}
