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

#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define ADJ_OFFSET 0x0001
#define ADJ_FREQUENCY 0x0002
#define ADJ_MAXERROR 0x0004
#define ADJ_ESTERROR 0x0008
#define ADJ_STATUS 0x0010
#define ADJ_TIMECONST 0x0020
#define ADJ_TAI 0x0080
#define ADJ_SETOFFSET 0x0100
#define ADJ_MICRO 0x1000
#define ADJ_NANO 0x2000
#define ADJ_TICK 0x4000
#define ADJ_OFFSET_SINGLESHOT 0x8001
#define ADJ_OFFSET_SS_READ 0xa001
#define MOD_OFFSET 1
#define MOD_FREQUENCY 2
#define MOD_MAXERROR 4
#define MOD_ESTERROR 8
#define MOD_STATUS 16
#define MOD_TIMECONST 32
#define MOD_CLKB 0x4000
#define MOD_CLKA 0x8001
#define MOD_TAI 128
#define MOD_MICRO 4096
#define MOD_NANO 0x2000
#define STA_PLL 0x0001
#define STA_PPSFREQ 0x0002
#define STA_PPSTIME 0x0004
#define STA_FLL 0x0008
#define STA_INS 0x0010
#define STA_DEL 0x0020
#define STA_UNSYNC 0x0040
#define STA_FREQHOLD 0x0080
#define STA_PPSSIGNAL 0x0100
#define STA_PPSJITTER 0x0200
#define STA_PPSWANDER 0x0400
#define STA_PPSERROR 0x0800
#define STA_CLOCKERR 0x1000
#define STA_NANO 0x2000
#define STA_MODE 0x4000
#define STA_CLK 0x8000
#define STA_RONLY 0xff00

extern int clock_adjtime(clockid_t clock_id, struct timex *utx);
extern char *strptime(const char *restrict s, const char *restrict fmt, struct tm *tp);
extern char *asctime_r(const struct tm *restrict tp, char *restrict buf);
extern char *ctime_r(const time_t *restrict timer, char *restrict buf);
extern void tzset(void);
extern time_t timegm(struct tm *tp);
extern time_t timelocal(struct tm *tp);
extern int dysize(int year);
extern int clock_getcpuclockid(pid_t pid, clockid_t *clock_id);
extern int timer_create(clockid_t clock_id, struct sigevent *restrict evp, timer_t *restrict timerid);
extern int timer_delete(timer_t timerid);
extern int timer_settime(timer_t timerid, int flags, const struct itimerspec *restrict value, struct itimerspec *restrict ovalue);
extern int timer_gettime(timer_t timerid, struct itimerspec *value);
extern int timer_getoverrun(timer_t timerid);
extern int timespec_getres(struct timespec *ts, int base);
extern struct tm *getdate(const char *string);
extern int getdate_r(const char *restrict string, struct tm *restrict resbufp);

#endif
