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

#endif
