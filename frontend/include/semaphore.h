#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H 1

#include <bits/obmc-types.h>
#include <bits/obmc-threads.h>
#include <sys/types.h>
#include <time.h>

typedef union {
    char __size[__SIZEOF_SEM_T];
    long int __align;
} sem_t;

#define SEM_FAILED ((sem_t *)0)
#undef SEM_VALUE_MAX
#define SEM_VALUE_MAX 2147483647

extern int sem_init(sem_t *sem, int shared, unsigned int value);
extern int sem_destroy(sem_t *sem);
extern sem_t *sem_open(const char *name, int flags, ...);
extern int sem_close(sem_t *sem);
extern int sem_unlink(const char *name);
extern int sem_wait(sem_t *sem);
extern int sem_timedwait(sem_t *sem, const struct timespec *abstime);
extern int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *abstime);
extern int sem_trywait(sem_t *sem);
extern int sem_post(sem_t *sem);
extern int sem_getvalue(sem_t *sem, int *value);

#endif
