#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H 1

#define PR_SET_PDEATHSIG 1
#define PR_SET_DUMPABLE 4
#define PR_SET_NAME 15
#define PR_SET_TIMERSLACK 29

extern int prctl(int option, ...);

#endif
