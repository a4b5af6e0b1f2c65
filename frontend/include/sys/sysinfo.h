#ifndef _SYS_SYSINFO_H
#define _SYS_SYSINFO_H 1

#include <bits/obmc-types.h>

struct sysinfo {
    long int uptime;
    unsigned long int loads[3];
    unsigned long int totalram;
    unsigned long int freeram;
    unsigned long int sharedram;
    unsigned long int bufferram;
    unsigned long int totalswap;
    unsigned long int freeswap;
    unsigned short int procs;
    unsigned short int pad;
    unsigned long int totalhigh;
    unsigned long int freehigh;
    unsigned int mem_unit;
    char _f[20 - 2 * sizeof(long int) - sizeof(int)];
};

extern int sysinfo(struct sysinfo *info);
extern int get_nprocs(void);
extern int get_nprocs_conf(void);

#endif
