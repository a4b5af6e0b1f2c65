#ifndef _THREADS_H
#define _THREADS_H 1

#include <bits/obmc-threads.h>
#include <time.h>

#define thread_local _Thread_local
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4

typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef unsigned long int thrd_t;
typedef unsigned int tss_t;

typedef struct {
    int __data;
} once_flag;

typedef union {
    char __size[__SIZEOF_PTHREAD_MUTEX_T];
    long int __align;
} mtx_t;

typedef union {
    char __size[__SIZEOF_PTHREAD_COND_T];
    long long int __align;
} cnd_t;

enum {
    thrd_success = 0,
    thrd_busy = 1,
    thrd_error = 2,
    thrd_nomem = 3,
    thrd_timedout = 4
};

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

extern int thrd_create(thrd_t *thread, thrd_start_t function, void *arg);
extern int thrd_equal(thrd_t a, thrd_t b);
extern thrd_t thrd_current(void);
extern int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
extern void thrd_exit(int result) __attribute__((__noreturn__));
extern int thrd_detach(thrd_t thread);
extern int thrd_join(thrd_t thread, int *result);
extern void thrd_yield(void);

extern int mtx_init(mtx_t *mutex, int type);
extern int mtx_lock(mtx_t *mutex);
extern int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline);
extern int mtx_trylock(mtx_t *mutex);
extern int mtx_unlock(mtx_t *mutex);
extern void mtx_destroy(mtx_t *mutex);

extern void call_once(once_flag *flag, void (*function)(void));

extern int cnd_init(cnd_t *cond);
extern int cnd_signal(cnd_t *cond);
extern int cnd_broadcast(cnd_t *cond);
extern int cnd_wait(cnd_t *cond, mtx_t *mutex);
extern int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *deadline);
extern void cnd_destroy(cnd_t *cond);

extern int tss_create(tss_t *key, tss_dtor_t destroy);
extern void *tss_get(tss_t key);
extern int tss_set(tss_t key, void *value);
extern void tss_delete(tss_t key);

#endif
