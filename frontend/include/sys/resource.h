#ifndef _SYS_RESOURCE_H
#define _SYS_RESOURCE_H 1

#include <bits/obmc-types.h>

typedef unsigned long int rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long int ru_maxrss;
};
#define RLIM_INFINITY (~0UL)
#define RLIMIT_STACK 3
#define RUSAGE_SELF 0

extern int getrlimit(int resource, struct rlimit *limit);
extern int setrlimit(int resource, const struct rlimit *limit);
extern int getrusage(int who, struct rusage *usage);

#endif
