/* Condition variables.
 *
 * Idea: a wait may end at any time, so nothing but the mutex counts: wait is unlock and lock, signal
 * is nothing. But POSIX does not promise that it ends: when looking for deadlocks the first word is the set
 * of waiting threads, one bit each. A waiter puts itself in while it unlocks, and is blocked until its
 * bit is gone; signal takes out any one bit, broadcast all. A spurious wake-up is chosen there before
 * it comes to waiting: who will wake up for no reason does not put itself in. That is as if it had
 * waited until it runs again.
 *
 * Invariant: bit i is set exactly while thread i waits and was not woken. The signaller
 * chooses among those that wait at that time, so no later waiter can steal the wake-up, and a
 * signal without waiters is lost. All accesses are relaxed: the order comes from the mutex alone.
 * Waking up and locking again are one block: in between a thread does nothing that others see. A
 * timed wait does them apart, since it may time out, miss a signal and only then get the mutex.
 * Every operation touches the first and the last word, so that all of the object must be there (a waiter does so
 * before it waits: once woken up it needs nothing of it). Who makes or destroys a condition variable
 * writes that word plainly, where races are looked for.
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
void __obmc_reach_time(int clock, const long *time);
int __obmc_asked(const char *what);
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void __obmc_undefined(const char *what);
_Bool __VERIFIER_nondet_bool(void);
void pthread_testcancel(void);
int __obmc_cancel_pending(void);
_Noreturn void __obmc_cancel_now(void);
int __obmc_cond_wait_cancellable(unsigned *cond, int *mutex, unsigned bit);
int pthread_mutex_lock(int *mutex);
int pthread_mutex_unlock(int *mutex);

enum { RELAXED = 0, CLOCK = 10, LAST = 11 };
enum { DESTROYED = -1 };
enum { E_INVAL = 22, E_TIMEDOUT = 110 };
enum { REALTIME = 0, MONOTONIC = 1, SECOND = 1000000000 };

static void touch(unsigned *cond)
{
    __atomic_load_n(cond, RELAXED);
    __atomic_load_n(cond + LAST, RELAXED);
}

/* The last word of one that was destroyed says so, if the program destroys any; that of one that was never
 * initialised is anything, and 0 is what it should be. */
static void use(unsigned *cond)
{
    touch(cond);
    if (__obmc_linked("pthread_cond_destroy")) {
        if (__atomic_load_n(cond + LAST, RELAXED) == DESTROYED)
            __obmc_undefined("used another destroyed");
    }
    if (__obmc_linked("pthread_cond_init")) {
        if (__atomic_load_n(cond + LAST, RELAXED) != 0)
            __obmc_undefined("never initialised");
    }
}

static void own(unsigned *cond)
{
    if (__obmc_asked("races")) {
        cond[0] = cond[0];
        cond[LAST] = 0;
    } else {
        touch(cond);
    }
}

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
    use(cond);
    int error = pthread_mutex_unlock(mutex);
    if (!__obmc_spurious())
        if (!error && !__VERIFIER_nondet_bool())
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
    error = pthread_mutex_lock(mutex);
    __obmc_atomic_end();
    return error;
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

/* `deadline` is seconds and nanoseconds. */
static int is_time(const long *deadline)
{
    deadline[0];
    return deadline[1] >= 0 && deadline[1] < SECOND;
}

static int wait_until(unsigned *cond, int *mutex, int clock, const long *deadline)
{
    if (!is_time(deadline))
        return E_INVAL;
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    int error = register_and_unlock(cond, mutex);
    if (error)
        return error;
    int timed_out = time_out_unless_woken(cond);
    if (__obmc_linked("clock_gettime"))
        if (timed_out)
            __obmc_reach_time(clock, deadline);
    int cancelled = 0;
    if (__obmc_linked("pthread_cancel"))
        cancelled = timed_out && __obmc_cancel_pending();
    error = pthread_mutex_lock(mutex);
    if (__obmc_linked("pthread_cancel"))
        if (cancelled)
            __obmc_cancel_now();
    return error ? error : timed_out ? E_TIMEDOUT : 0;
}

/* The clock that the attributes named. */
int pthread_cond_timedwait(unsigned *cond, int *mutex, const long *deadline)
{
    int clock = REALTIME;
    if (__obmc_linked("pthread_condattr_setclock"))
        clock = __atomic_load_n(cond + CLOCK, RELAXED);
    return wait_until(cond, mutex, clock, deadline);
}

int pthread_cond_clockwait(unsigned *cond, int *mutex, int clock, const long *deadline)
{
    if (clock != REALTIME && clock != MONOTONIC)
        return E_INVAL;
    return wait_until(cond, mutex, clock, deadline);
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
    if (__obmc_spurious()) {
        use(cond);
        return 0;
    }
    __obmc_atomic_begin();
    if (__obmc_linked("pthread_cond_destroy") | __obmc_linked("pthread_cond_init"))
        use(cond);
    unsigned set = waiters(cond);
    if (set)
        __atomic_store_n(cond, set & ~any_bit(set), RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_cond_broadcast(unsigned *cond)
{
    if (__obmc_spurious() | __obmc_linked("pthread_cond_destroy") | __obmc_linked("pthread_cond_init"))
        use(cond);
    if (!__obmc_spurious())
        __atomic_store_n(cond, 0, RELAXED);
    return 0;
}

int pthread_cond_init(unsigned *cond, const int *attr)
{
    int clock = attr ? *attr >> 1 & 1 : REALTIME;
    own(cond);
    if (__obmc_linked("pthread_condattr_setclock"))
        __atomic_store_n(cond + CLOCK, clock, RELAXED);
    __atomic_store_n(cond + LAST, 0, RELAXED);
    if (!__obmc_spurious())
        __atomic_store_n(cond, 0, RELAXED);
    return 0;
}

/* glibc waits for those who wait, even if no thread will wake them up. */
int pthread_cond_destroy(unsigned *cond)
{
    if (!__obmc_spurious()) {
        __obmc_atomic_begin();
        __obmc_wait(waiters(cond) == 0);
        __obmc_atomic_end();
    }
    use(cond);
    own(cond);
    __atomic_store_n(cond + LAST, DESTROYED, RELAXED);
    return 0;
}

int pthread_condattr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_condattr_destroy(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_condattr_setpshared(int *attr, int shared)
{
    if (shared != 0 && shared != 1)
        return E_INVAL;
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
    if (clock != REALTIME && clock != MONOTONIC)
        return E_INVAL;
    *attr = (*attr & 1) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const int *attr, int *clock)
{
    *clock = *attr >> 1;
    return 0;
}
