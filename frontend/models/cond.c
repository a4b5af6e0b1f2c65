/* Condition variables.
 *
 * Idea: where wake-ups may be spurious, a wait may end at any time, so nothing but the mutex counts:
 * wait is unlock and lock, signal is nothing. Otherwise (when looking for deadlocks, where a
 * spurious wake-up would hide a lost one) the first word is the set of waiting threads, one bit
 * each. A waiter puts itself in while it unlocks, and is blocked until its bit is gone; signal takes
 * out any one bit, broadcast all.
 *
 * Invariant: bit i is set exactly while thread i waits and nobody has woken it. The signaller
 * chooses among those that wait at that time, so no later waiter can steal the wake-up, and a
 * signal without waiters is lost. All accesses are relaxed: the order comes from the mutex alone.
 * Waking up and locking again are one block: in between a thread does nothing that others see. A
 * timed wait does them apart, since it may time out, miss a signal and only then get the mutex.
 *
 * Cost: spurious: that of unlock and lock. Else one load and store more on each side, and the
 * choice among n waiters by halving, without a loop. At most 31 threads can be told apart.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_spurious(void);
unsigned long __obmc_self(void);
int __obmc_linked(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
_Bool __VERIFIER_nondet_bool(void);
void pthread_testcancel(void);
int __obmc_cancel_pending(void);
_Noreturn void __obmc_cancel_now(void);
int __obmc_cond_wait_cancellable(unsigned *cond, int *mutex, unsigned bit);
int pthread_mutex_lock(int *mutex);
int pthread_mutex_unlock(int *mutex);

enum { RELAXED = 0 };
enum { E_TIMEDOUT = 110 };

static unsigned my_bit(void)
{
    unsigned long self = __obmc_self();
    if (self > 31)
        __obmc_unsupported("condition variables with more than 31 threads");
    return 1u << self;
}

static unsigned waiters(unsigned *cond)
{
    return __atomic_load_n(cond, RELAXED);
}

static int register_and_unlock(unsigned *cond, int *mutex)
{
    __obmc_atomic_begin();
    int error = pthread_mutex_unlock(mutex);
    if (!__obmc_spurious())
        if (!error)
            __atomic_store_n(cond, waiters(cond) | my_bit(), RELAXED);
    __obmc_atomic_end();
    return error;
}

int pthread_cond_wait(unsigned *cond, int *mutex)
{
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    int error = register_and_unlock(cond, mutex);
    if (error)
        return error;
    if (__obmc_linked("pthread_cancel"))
        return __obmc_cond_wait_cancellable(cond, mutex, my_bit());
    __obmc_atomic_begin();
    if (!__obmc_spurious())
        __obmc_wait((waiters(cond) & my_bit()) == 0);
    pthread_mutex_lock(mutex);
    __obmc_atomic_end();
    return 0;
}

static int time_out_unless_woken(unsigned *cond)
{
    if (__obmc_spurious())
        return __VERIFIER_nondet_bool();
    __obmc_atomic_begin();
    unsigned set = waiters(cond);
    int waiting = (set & my_bit()) != 0;
    if (waiting)
        __atomic_store_n(cond, set & ~my_bit(), RELAXED);
    __obmc_atomic_end();
    return waiting;
}

int pthread_cond_timedwait(unsigned *cond, int *mutex, const void *deadline)
{
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    int error = register_and_unlock(cond, mutex);
    if (error)
        return error;
    int timed_out = time_out_unless_woken(cond);
    int cancelled = 0;
    if (__obmc_linked("pthread_cancel"))
        cancelled = timed_out && __obmc_cancel_pending();
    pthread_mutex_lock(mutex);
    if (__obmc_linked("pthread_cancel"))
        if (cancelled)
            __obmc_cancel_now();
    return timed_out ? E_TIMEDOUT : 0;
}

int pthread_cond_clockwait(unsigned *cond, int *mutex, int clock, const void *deadline)
{
    return pthread_cond_timedwait(cond, mutex, deadline);
}

static unsigned either_half(unsigned set, unsigned half)
{
    unsigned in = set & half;
    unsigned out = set & ~half;
    return in && (!out || __VERIFIER_nondet_bool()) ? in : out;
}

static unsigned any_bit(unsigned set)
{
    set = either_half(set, 0x0000ffffu);
    set = either_half(set, 0x00ff00ffu);
    set = either_half(set, 0x0f0f0f0fu);
    set = either_half(set, 0x33333333u);
    return either_half(set, 0x55555555u);
}

int pthread_cond_signal(unsigned *cond)
{
    if (__obmc_spurious())
        return 0;
    __obmc_atomic_begin();
    unsigned set = waiters(cond);
    if (set)
        __atomic_store_n(cond, set & ~any_bit(set), RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_cond_broadcast(unsigned *cond)
{
    if (!__obmc_spurious())
        __atomic_store_n(cond, 0, RELAXED);
    return 0;
}

int pthread_cond_init(unsigned *cond, const void *attr)
{
    if (!__obmc_spurious())
        __atomic_store_n(cond, 0, RELAXED);
    return 0;
}

int pthread_cond_destroy(unsigned *cond)
{
    return 0;
}

int pthread_condattr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_condattr_destroy(int *attr)
{
    return 0;
}

int pthread_condattr_setpshared(int *attr, int shared)
{
    *attr = (*attr & ~1) | shared;
    return 0;
}

int pthread_condattr_getpshared(const int *attr, int *shared)
{
    *shared = *attr & 1;
    return 0;
}

int pthread_condattr_setclock(int *attr, int clock)
{
    *attr = (*attr & 1) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const int *attr, int *clock)
{
    *clock = *attr >> 1;
    return 0;
}
