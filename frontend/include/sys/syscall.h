#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H 1

#ifdef __OBMC_ILP32__
#define SYS_futex 240
#define SYS_gettid 224
#define SYS_sched_yield 158
#else
#define SYS_futex 202
#define SYS_gettid 186
#define SYS_sched_yield 24
#endif
#define __NR_futex SYS_futex
#define __NR_gettid SYS_gettid
#define __NR_sched_yield SYS_sched_yield

#endif
