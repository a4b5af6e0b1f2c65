// A sleep of a second need not take two.
#include <time.h>
#include <threads.h>
#include <assert.h>
int main(void)
{
    struct timespec until, now, later, second = {1, 0};
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 3;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= until.tv_sec);
    thrd_sleep(&second, 0);
    clock_gettime(CLOCK_MONOTONIC, &later);
    assert(later.tv_sec > now.tv_sec + 1);
    return 0;
}
