/* The kernel's names of the types of its interfaces, as on x86. */
#ifndef _LINUX_POSIX_TYPES_H
#define _LINUX_POSIX_TYPES_H 1

#include <linux/stddef.h>

typedef long int __kernel_long_t;
typedef unsigned long int __kernel_ulong_t;
typedef unsigned long int __kernel_ino_t;
typedef int __kernel_pid_t;
typedef int __kernel_ipc_pid_t;
typedef long int __kernel_suseconds_t;
typedef int __kernel_daddr_t;
typedef unsigned int __kernel_uid32_t;
typedef unsigned int __kernel_gid32_t;
typedef __SIZE_TYPE__ __kernel_size_t;
typedef __PTRDIFF_TYPE__ __kernel_ssize_t;
typedef __PTRDIFF_TYPE__ __kernel_ptrdiff_t;
#ifdef __OBMC_ILP32__
typedef unsigned short int __kernel_mode_t;
typedef unsigned short int __kernel_uid_t;
typedef unsigned short int __kernel_gid_t;
typedef unsigned short int __kernel_old_dev_t;
#else
typedef unsigned int __kernel_mode_t;
typedef unsigned int __kernel_uid_t;
typedef unsigned int __kernel_gid_t;
typedef unsigned long int __kernel_old_dev_t;
#endif
typedef unsigned short int __kernel_old_uid_t;
typedef unsigned short int __kernel_old_gid_t;
typedef long int __kernel_off_t;
typedef long long int __kernel_loff_t;
typedef long int __kernel_old_time_t;
typedef long int __kernel_time_t;
typedef long long int __kernel_time64_t;
typedef long int __kernel_clock_t;
typedef int __kernel_timer_t;
typedef int __kernel_clockid_t;
typedef char *__kernel_caddr_t;
typedef unsigned short int __kernel_uid16_t;
typedef unsigned short int __kernel_gid16_t;
typedef int __kernel_key_t;
typedef int __kernel_mqd_t;
typedef void (*__kernel_sighandler_t)(int);
typedef struct {
    int val[2];
} __kernel_fsid_t;
typedef struct {
    unsigned long int fds_bits[1024 / (8 * sizeof(long int))];
} __kernel_fd_set;

#endif
