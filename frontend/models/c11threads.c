/* C11 threads, in terms of the POSIX models, as glibc does it: same types, other return codes.
 *
 * Idea: thrd_t, mtx_t, cnd_t and once_flag have the layout of their POSIX twins.
 * Invariant: a thread's int result travels in the pointer that join yields; only its low 32 bits
 * mean anything, and thrd_join cuts them off.
 */
unsigned long __obmc_start_thread(unsigned long *place, void *(*function)(void *), void *arg);
unsigned long __obmc_self(void);
void __obmc_sleep(const long *duration);
int __obmc_linked(const char *name);
_Noreturn void __obmc_undefined(const char *what);
void __obmc_mutex_for_timed_locks(int *mutex);
int __obmc_is_mutex_for_timed_locks(int *mutex);
void pthread_testcancel(void);
int pthread_join(unsigned long thread, void **value);
int pthread_detach(unsigned long thread);
int pthread_mutex_destroy(int *mutex);
int pthread_cond_destroy(unsigned *cond);
_Noreturn void pthread_exit(void *value);
int pthread_once(int *once, void (*routine)(void));
int pthread_mutex_init(int *mutex, const int *attr);
int pthread_mutex_lock(int *mutex);
int pthread_mutex_trylock(int *mutex);
int pthread_mutex_timedlock(int *mutex, const void *deadline);
int pthread_mutex_unlock(int *mutex);
int pthread_cond_init(unsigned *cond, const void *attr);
int pthread_cond_signal(unsigned *cond);
int pthread_cond_broadcast(unsigned *cond);
int pthread_cond_wait(unsigned *cond, int *mutex);
int pthread_cond_timedwait(unsigned *cond, int *mutex, const void *deadline);

enum { SUCCESS = 0, BUSY = 1, ERROR = 2, TIMED_OUT = 4 };
enum { INVALID = -2, SECOND = 1000000000 };
enum { E_BUSY = 16, E_TIMEDOUT = 110, RECURSIVE = 1, FOR_TIMED_LOCKS = 2 };

static int result_of(int error)
{
    switch (error) {
    case 0:
        return SUCCESS;
    case E_BUSY:
        return BUSY;
    case E_TIMEDOUT:
        return TIMED_OUT;
    default:
        return ERROR;
    }
}

int thrd_create(unsigned long *thread, int (*function)(void *), void *arg)
{
    __obmc_start_thread(thread, (void *(*)(void *))(void *)function, arg);
    return SUCCESS;
}

int thrd_join(unsigned long thread, int *result)
{
    void *value;
    int error = pthread_join(thread, &value);
    if (!error && result)
        *result = (int)(long)value;
    return result_of(error);
}

_Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

int thrd_detach(unsigned long thread)
{
    return result_of(pthread_detach(thread));
}

unsigned long thrd_current(void)
{
    return __obmc_self();
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

void thrd_yield(void)
{
}

/* `duration` is seconds and nanoseconds. */
int thrd_sleep(const long *duration, void *remaining)
{
    duration[0];
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    if (duration[1] < 0 || duration[1] >= SECOND)
        return INVALID;
    if (__obmc_linked("clock_gettime"))
        __obmc_sleep(duration);
    return 0;
}

int mtx_init(int *mutex, int type)
{
    int kind = type & RECURSIVE;
    int error = pthread_mutex_init(mutex, &kind);
    if (__obmc_linked("mtx_timedlock")) {
        if (type & FOR_TIMED_LOCKS)
            __obmc_mutex_for_timed_locks(mutex);
    }
    return result_of(error);
}

void mtx_destroy(int *mutex)
{
    pthread_mutex_destroy(mutex);
}

int mtx_lock(int *mutex)
{
    return result_of(pthread_mutex_lock(mutex));
}

int mtx_trylock(int *mutex)
{
    return result_of(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(int *mutex, const void *deadline)
{
    if (!__obmc_is_mutex_for_timed_locks(mutex))
        __obmc_undefined("untimed lock");
    return result_of(pthread_mutex_timedlock(mutex, deadline));
}

int mtx_unlock(int *mutex)
{
    return result_of(pthread_mutex_unlock(mutex));
}

int cnd_init(unsigned *cond)
{
    return result_of(pthread_cond_init(cond, 0));
}

void cnd_destroy(unsigned *cond)
{
    pthread_cond_destroy(cond);
}

int cnd_signal(unsigned *cond)
{
    return result_of(pthread_cond_signal(cond));
}

int cnd_broadcast(unsigned *cond)
{
    return result_of(pthread_cond_broadcast(cond));
}

int cnd_wait(unsigned *cond, int *mutex)
{
    return result_of(pthread_cond_wait(cond, mutex));
}

int cnd_timedwait(unsigned *cond, int *mutex, const void *deadline)
{
    return result_of(pthread_cond_timedwait(cond, mutex, deadline));
}

void call_once(int *flag, void (*routine)(void))
{
    pthread_once(flag, routine);
}
