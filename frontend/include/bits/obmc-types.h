/* The scalar types of <sys/types.h> that several headers share. glibc's widths. */
#ifndef _OBMC_TYPES_H
#define _OBMC_TYPES_H 1

#include <features.h>
#include <stddef.h>

typedef unsigned char __u_char;
typedef unsigned short int __u_short;
typedef unsigned int __u_int;
typedef unsigned long int __u_long;

typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;

typedef long int time_t;
typedef long int suseconds_t;
typedef unsigned int useconds_t;
typedef long int clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef long int off_t;
typedef __INT64_TYPE__ off64_t;
typedef __INT64_TYPE__ loff_t;
#ifdef __OBMC_ILP32__
typedef int ssize_t;
typedef unsigned long long int dev_t;
typedef unsigned int nlink_t;
#else
typedef long int ssize_t;
typedef unsigned long int dev_t;
typedef unsigned long int nlink_t;
#endif
typedef unsigned long int ino_t;
typedef __UINT64_TYPE__ ino64_t;
typedef long int blksize_t;
typedef long int blkcnt_t;
typedef unsigned long int fsblkcnt_t;
typedef unsigned long int fsfilcnt_t;
typedef int key_t;

struct timespec {
    time_t tv_sec;
    long int tv_nsec;
};

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

typedef struct {
    unsigned long int __val[1024 / (8 * sizeof(unsigned long int))];
} __sigset_t;
typedef __sigset_t sigset_t;

#include <bits/types.h>

#endif
