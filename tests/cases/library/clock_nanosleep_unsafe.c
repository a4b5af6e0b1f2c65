// The wall clock may be set back behind the time at which the thread wanted to wake up.
#include <time.h>
void reach_error(void);
int main(void)
{
    struct timespec at, now;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += 3;
    if (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, 0) == 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec < at.tv_sec)
            reach_error();
    }
    return 0;
}
