// Twice that time does not fit.
#include <stdint.h>
#include <time.h>

int main(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    int64_t now = t.tv_sec * 1000000000 + t.tv_nsec;
    int64_t twice = now + now;
    return twice == 0;
}
