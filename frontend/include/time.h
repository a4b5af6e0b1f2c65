#ifndef _TIME_H
#define _TIME_H 1

#include <bits/obmc-types.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define TIME_UTC 1

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long int tm_gmtoff;
    const char *tm_zone;
};

struct itimerspec {
    struct timespec it_interval;
    struct timespec it_value;
};

extern time_t time(time_t *t);
extern clock_t clock(void);
extern double difftime(time_t a, time_t b);
extern time_t mktime(struct tm *tm);
extern struct tm *gmtime(const time_t *t);
extern struct tm *localtime(const time_t *t);
extern struct tm *gmtime_r(const time_t *t, struct tm *result);
extern struct tm *localtime_r(const time_t *t, struct tm *result);
extern char *asctime(const struct tm *tm);
extern char *ctime(const time_t *t);
extern size_t strftime(char *s, size_t max, const char *format, const struct tm *tm);
extern int nanosleep(const struct timespec *request, struct timespec *remaining);
extern int clock_gettime(clockid_t clock, struct timespec *t);
extern int clock_settime(clockid_t clock, const struct timespec *t);
extern int clock_getres(clockid_t clock, struct timespec *t);
extern int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request,
                           struct timespec *remaining);
extern int timespec_get(struct timespec *t, int base);

#endif
