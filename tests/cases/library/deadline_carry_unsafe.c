// Without the carry the nanoseconds are too many.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 500000000;
    assert(end.tv_nsec < 1000000000);
    return 0;
}
