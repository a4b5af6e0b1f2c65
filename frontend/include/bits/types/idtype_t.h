#ifndef _BITS_IDTYPE_T_H
#define _BITS_IDTYPE_T_H 1

typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;

#endif
