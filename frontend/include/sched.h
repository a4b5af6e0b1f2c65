#ifndef _SCHED_H
#define _SCHED_H 1

#include <bits/obmc-types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

struct sched_param {
    int sched_priority;
};

#define CPU_SETSIZE 1024
typedef unsigned long int __cpu_mask;
typedef struct {
    __cpu_mask __bits[CPU_SETSIZE / (8 * sizeof(__cpu_mask))];
} cpu_set_t;
#define __OBMC_CPU_BITS (8 * sizeof(__cpu_mask))
#define CPU_ZERO(set) ((void)(*(set) = (cpu_set_t){ { 0 } }))
#define CPU_SET(cpu, set)                                                                          \
    ((void)((set)->__bits[(cpu) / __OBMC_CPU_BITS] |= 1UL << ((cpu) % __OBMC_CPU_BITS)))
#define CPU_CLR(cpu, set)                                                                          \
    ((void)((set)->__bits[(cpu) / __OBMC_CPU_BITS] &= ~(1UL << ((cpu) % __OBMC_CPU_BITS))))
#define CPU_ISSET(cpu, set)                                                                        \
    ((int)((set)->__bits[(cpu) / __OBMC_CPU_BITS] >> ((cpu) % __OBMC_CPU_BITS) & 1))

extern int sched_yield(void);
extern int sched_get_priority_max(int policy);
extern int sched_get_priority_min(int policy);
extern int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);
extern int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
extern int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param);
extern int sched_getcpu(void);

#define SCHED_ISO 4
#define SCHED_DEADLINE 6
#define SCHED_RESET_ON_FORK 0x40000000
#define CSIGNAL 0x000000ff
#define CLONE_VM 0x00000100
#define CLONE_FS 0x00000200
#define CLONE_FILES 0x00000400
#define CLONE_SIGHAND 0x00000800
#define CLONE_PIDFD 0x00001000
#define CLONE_PTRACE 0x00002000
#define CLONE_VFORK 0x00004000
#define CLONE_PARENT 0x00008000
#define CLONE_THREAD 0x00010000
#define CLONE_NEWNS 0x00020000
#define CLONE_SYSVSEM 0x00040000
#define CLONE_SETTLS 0x00080000
#define CLONE_PARENT_SETTID 0x00100000
#define CLONE_CHILD_CLEARTID 0x00200000
#define CLONE_DETACHED 0x00400000
#define CLONE_UNTRACED 0x00800000
#define CLONE_CHILD_SETTID 0x01000000
#define CLONE_NEWCGROUP 0x02000000
#define CLONE_NEWUTS 0x04000000
#define CLONE_NEWIPC 0x08000000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000
#define CLONE_IO 0x80000000
#define CLONE_NEWTIME 0x00000080

extern int clone(int (*fn) (void *arg), void *child_stack, int flags, void *arg, ...);
extern int unshare(int flags);
extern int getcpu(unsigned int *, unsigned int *);
extern int setns(int fd, int nstype);
extern int sched_setparam(pid_t pid, const struct sched_param *param);
extern int sched_getparam(pid_t pid, struct sched_param *param);
extern int sched_getscheduler(pid_t pid);
extern int sched_rr_get_interval(pid_t pid, struct timespec *t);

#endif
