#ifndef _SYS_TIME_H
#define _SYS_TIME_H 1

#include <bits/obmc-types.h>
#include <sys/select.h>

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};

#define ITIMER_REAL 0

extern int gettimeofday(struct timeval *t, void *zone);
extern int settimeofday(const struct timeval *t, const struct timezone *zone);
extern int setitimer(int which, const struct itimerval *value, struct itimerval *old);

#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)

#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

extern int adjtime(const struct timeval *delta, struct timeval *olddelta);
extern int utimes(const char *file, const struct timeval tvp[2]);
extern int lutimes(const char *file, const struct timeval tvp[2]);
extern int futimes(int fd, const struct timeval tvp[2]);
extern int futimesat(int fd, const char *file, const struct timeval tvp[2]);

#define timercmp(a, b, CMP)                                                                        \
    (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec CMP(b)->tv_usec) : ((a)->tv_sec CMP(b)->tv_sec))
#define timeradd(a, b, result)                                                                     \
    do {                                                                                           \
        (result)->tv_sec = (a)->tv_sec + (b)->tv_sec;                                              \
        (result)->tv_usec = (a)->tv_usec + (b)->tv_usec;                                           \
        if ((result)->tv_usec >= 1000000) {                                                        \
            ++(result)->tv_sec;                                                                    \
            (result)->tv_usec -= 1000000;                                                          \
        }                                                                                          \
    } while (0)
#define timersub(a, b, result)                                                                     \
    do {                                                                                           \
        (result)->tv_sec = (a)->tv_sec - (b)->tv_sec;                                              \
        (result)->tv_usec = (a)->tv_usec - (b)->tv_usec;                                           \
        if ((result)->tv_usec < 0) {                                                               \
            --(result)->tv_sec;                                                                    \
            (result)->tv_usec += 1000000;                                                          \
        }                                                                                          \
    } while (0)

#endif
