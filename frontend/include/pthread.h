#ifndef _PTHREAD_H
#define _PTHREAD_H 1

#include <bits/obmc-types.h>
#include <bits/obmc-threads.h>
#include <sched.h>
#include <time.h>

enum { PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED };
#define PTHREAD_CREATE_JOINABLE PTHREAD_CREATE_JOINABLE
#define PTHREAD_CREATE_DETACHED PTHREAD_CREATE_DETACHED

enum {
    PTHREAD_MUTEX_TIMED_NP,
    PTHREAD_MUTEX_RECURSIVE_NP,
    PTHREAD_MUTEX_ERRORCHECK_NP,
    PTHREAD_MUTEX_ADAPTIVE_NP,
    PTHREAD_MUTEX_NORMAL = PTHREAD_MUTEX_TIMED_NP,
    PTHREAD_MUTEX_RECURSIVE = PTHREAD_MUTEX_RECURSIVE_NP,
    PTHREAD_MUTEX_ERRORCHECK = PTHREAD_MUTEX_ERRORCHECK_NP,
    PTHREAD_MUTEX_DEFAULT = PTHREAD_MUTEX_NORMAL,
    PTHREAD_MUTEX_FAST_NP = PTHREAD_MUTEX_TIMED_NP
};

enum {
    PTHREAD_MUTEX_STALLED,
    PTHREAD_MUTEX_STALLED_NP = PTHREAD_MUTEX_STALLED,
    PTHREAD_MUTEX_ROBUST,
    PTHREAD_MUTEX_ROBUST_NP = PTHREAD_MUTEX_ROBUST
};

enum { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT };

enum {
    PTHREAD_RWLOCK_PREFER_READER_NP,
    PTHREAD_RWLOCK_PREFER_WRITER_NP,
    PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
    PTHREAD_RWLOCK_DEFAULT_NP = PTHREAD_RWLOCK_PREFER_READER_NP
};

enum { PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED };
#define PTHREAD_INHERIT_SCHED PTHREAD_INHERIT_SCHED
#define PTHREAD_EXPLICIT_SCHED PTHREAD_EXPLICIT_SCHED

enum { PTHREAD_SCOPE_SYSTEM, PTHREAD_SCOPE_PROCESS };
#define PTHREAD_SCOPE_SYSTEM PTHREAD_SCOPE_SYSTEM
#define PTHREAD_SCOPE_PROCESS PTHREAD_SCOPE_PROCESS

enum { PTHREAD_PROCESS_PRIVATE, PTHREAD_PROCESS_SHARED };
#define PTHREAD_PROCESS_PRIVATE PTHREAD_PROCESS_PRIVATE
#define PTHREAD_PROCESS_SHARED PTHREAD_PROCESS_SHARED

enum { PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE };
#define PTHREAD_CANCEL_ENABLE PTHREAD_CANCEL_ENABLE
#define PTHREAD_CANCEL_DISABLE PTHREAD_CANCEL_DISABLE

enum { PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS };
#define PTHREAD_CANCEL_DEFERRED PTHREAD_CANCEL_DEFERRED
#define PTHREAD_CANCEL_ASYNCHRONOUS PTHREAD_CANCEL_ASYNCHRONOUS
#define PTHREAD_CANCELED ((void *)-1)

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD -1
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_STACK_MIN 16384

#ifdef __OBMC_ILP32__
#define __OBMC_MUTEX_INITIALIZER(kind) { { 0, 0, 0, kind, 0, 0 } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 } }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP \
    { { 0, 0, 0, 0, 0, 0, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, 0, 0, 0, 0 } }
#else
#define __OBMC_MUTEX_INITIALIZER(kind) { { 0, 0, 0, 0, kind, 0, 0, { 0, 0 } } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0 }, 0, 0 } }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP                                          \
    {                                                                                              \
        {                                                                                          \
            0, 0, 0, 0, 0, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0 }, 0,                                 \
                PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP                                       \
        }                                                                                          \
    }
#endif
#define PTHREAD_MUTEX_INITIALIZER __OBMC_MUTEX_INITIALIZER(PTHREAD_MUTEX_TIMED_NP)
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP __OBMC_MUTEX_INITIALIZER(PTHREAD_MUTEX_RECURSIVE_NP)
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP __OBMC_MUTEX_INITIALIZER(PTHREAD_MUTEX_ERRORCHECK_NP)
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP __OBMC_MUTEX_INITIALIZER(PTHREAD_MUTEX_ADAPTIVE_NP)
#define PTHREAD_COND_INITIALIZER { { 0, 0, { 0, 0 }, { 0, 0 }, 0, 0, { 0, 0 } } }

extern int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*start)(void *), void *arg);
extern void pthread_exit(void *value) __attribute__((__noreturn__));
extern int pthread_join(pthread_t thread, void **value);
extern int pthread_tryjoin_np(pthread_t thread, void **value);
extern int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *abstime);
extern int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                const struct timespec *abstime);
extern int pthread_detach(pthread_t thread);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t a, pthread_t b);
extern int pthread_once(pthread_once_t *once, void (*init)(void));
extern int pthread_yield(void);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pthread_getname_np(pthread_t thread, char *name, size_t size);
extern int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set);
extern int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
extern int pthread_setconcurrency(int level);
extern int pthread_getconcurrency(void);
extern int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param);
extern int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param);
extern int pthread_setschedprio(pthread_t thread, int priority);
extern int pthread_getcpuclockid(pthread_t thread, clockid_t *clock);
extern int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
extern int pthread_kill(pthread_t thread, int signal);
extern int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);

extern int pthread_attr_init(pthread_attr_t *attr);
extern int pthread_attr_destroy(pthread_attr_t *attr);
extern int pthread_attr_setdetachstate(pthread_attr_t *attr, int state);
extern int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state);
extern int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size);
extern int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size);
extern int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size);
extern int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size);
extern int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size);
extern int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size);
extern int pthread_attr_setscope(pthread_attr_t *attr, int scope);
extern int pthread_attr_getscope(const pthread_attr_t *attr, int *scope);
extern int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit);
extern int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit);
extern int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy);
extern int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy);
extern int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param);
extern int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param);
extern int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set);

extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *mutex);
extern int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *abstime);
extern int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *abstime);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_mutex_consistent(pthread_mutex_t *mutex);
extern int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old);
extern int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling);
extern int pthread_mutexattr_init(pthread_mutexattr_t *attr);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *attr);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind);
extern int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared);
extern int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *shared);
extern int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol);
extern int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol);
extern int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling);
extern int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling);
extern int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust);
extern int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust);

extern int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr);
extern int pthread_rwlock_destroy(pthread_rwlock_t *lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *abstime);
extern int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                      const struct timespec *abstime);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *abstime);
extern int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                      const struct timespec *abstime);
extern int pthread_rwlock_unlock(pthread_rwlock_t *lock);
extern int pthread_rwlockattr_init(pthread_rwlockattr_t *attr);
extern int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr);
extern int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared);
extern int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *shared);
extern int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind);
extern int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind);

extern int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr);
extern int pthread_cond_destroy(pthread_cond_t *cond);
extern int pthread_cond_signal(pthread_cond_t *cond);
extern int pthread_cond_broadcast(pthread_cond_t *cond);
extern int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
extern int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *abstime);
extern int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *abstime);
extern int pthread_condattr_init(pthread_condattr_t *attr);
extern int pthread_condattr_destroy(pthread_condattr_t *attr);
extern int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared);
extern int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *shared);
extern int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock);
extern int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock);

extern int pthread_spin_init(pthread_spinlock_t *lock, int shared);
extern int pthread_spin_destroy(pthread_spinlock_t *lock);
extern int pthread_spin_lock(pthread_spinlock_t *lock);
extern int pthread_spin_trylock(pthread_spinlock_t *lock);
extern int pthread_spin_unlock(pthread_spinlock_t *lock);

extern int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
                                unsigned int count);
extern int pthread_barrier_destroy(pthread_barrier_t *barrier);
extern int pthread_barrier_wait(pthread_barrier_t *barrier);
extern int pthread_barrierattr_init(pthread_barrierattr_t *attr);
extern int pthread_barrierattr_destroy(pthread_barrierattr_t *attr);
extern int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared);
extern int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *shared);

extern int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
extern int pthread_key_delete(pthread_key_t key);
extern void *pthread_getspecific(pthread_key_t key);
extern int pthread_setspecific(pthread_key_t key, const void *value);

extern int pthread_cancel(pthread_t thread);
extern int pthread_setcancelstate(int state, int *old);
extern int pthread_setcanceltype(int type, int *old);
extern void pthread_testcancel(void);

/* A handler lives in the block that push opens and pop closes. */
struct _pthread_cleanup_buffer {
    void (*__routine)(void *);
    void *__arg;
    int __canceltype;
    struct _pthread_cleanup_buffer *__prev;
};
extern void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *),
                                  void *arg);
extern void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute);
extern void __obmc_leave_cleanup(struct _pthread_cleanup_buffer *buffer);
#define pthread_cleanup_push(routine, arg)                                                         \
    do {                                                                                           \
        struct _pthread_cleanup_buffer __obmc_cleanup_buffer                                       \
            __attribute__((cleanup(__obmc_leave_cleanup)));                                        \
        _pthread_cleanup_push(&__obmc_cleanup_buffer, (routine), (arg));
#define pthread_cleanup_pop(execute)                                                               \
        _pthread_cleanup_pop(&__obmc_cleanup_buffer, (execute));                                   \
    } while (0)
#define pthread_cleanup_push_defer_np(routine, arg) pthread_cleanup_push(routine, arg)
#define pthread_cleanup_pop_restore_np(execute) pthread_cleanup_pop(execute)

#define PTHREAD_ATTR_NO_SIGMASK_NP (-1)

extern int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t cpusetsize, cpu_set_t *cpuset);
extern int pthread_getattr_default_np(pthread_attr_t *attr);
extern int pthread_attr_setsigmask_np(pthread_attr_t *attr, const sigset_t *sigmask);
extern int pthread_attr_getsigmask_np(const pthread_attr_t *attr, sigset_t *sigmask);
extern int pthread_setattr_default_np(const pthread_attr_t *attr);
extern int pthread_getattr_np(pthread_t th, pthread_attr_t *attr);
extern int pthread_mutex_consistent_np(pthread_mutex_t *);
extern int pthread_mutexattr_getrobust_np(pthread_mutexattr_t *, int *);
extern int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *, int);

#endif
