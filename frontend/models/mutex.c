/* Mutexes.
 *
 * Idea: one word says whether the mutex is taken; locking waits until it is free and takes it in
 * the same atomic block. Recursive and error-checking mutexes also keep the owner's id and a depth.
 * The kind stands where glibc's static initialisers put it.
 *
 * Invariant: word LOCK is 1 exactly between a successful lock and its last unlock; for the two kinds
 * with an owner, OWNER and COUNT are then the holder and how often it holds. Only unlock releases
 * and only a successful lock acquires, so the order is unlock -> lock and nothing else: a failing
 * trylock reads relaxed. A timed lock fails only while the mutex is taken, so it is a trylock with
 * another error code: that the deadline may be late is the scheduler's freedom to run it late. A
 * null deadline matters only then, as in glibc, unless valid accesses are the question.
 * What POSIX does not define about a destroyed mutex, or about destroying one that is locked, ends an execution; who
 * unlocks what it does not hold releases it, which is an assumption of proofs (src/held.rs).
 * Every operation also touches the last word, so that all of the object must be there. Who makes or
 * destroys a mutex writes that word plainly, where races are looked for: no other thread may use it then.
 *
 * Cost: lock 2 loads 1 store, unlock 1 load 1 store; the load of the kind meets no write unless the
 * program calls pthread_mutex_init or destroy on that mutex, and that of the last word none at all.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
unsigned long __obmc_self(void);
int __obmc_asked(const char *what);
int __obmc_linked(const char *name);
void __obmc_reach_time(int clock, const long *time);
_Noreturn void __obmc_undefined(const char *what);
int __obmc_is_robust(int *mutex);
int __obmc_robust_lock(int *mutex);
int __obmc_robust_trylock(int *mutex, int owned);
int __obmc_robust_unlock(int *mutex);

enum { LOCK = 0, COUNT = 1, OWNER = 2, KIND = 3 + sizeof(long) / 8 };
enum { LAST = sizeof(long) == 8 ? 9 : 5 };
enum { RECURSIVE = 1, ERRORCHECK = 2, TIMED = 8, ROBUST = 16, DESTROYED = -1 };
/* Also those of glibc's initialisers and of sharing between processes. */
enum { ALL_KINDS = 1023 };
/* In the attributes (mutexattr.c). */
enum { ROBUST_ATTRIBUTE = 5 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_PERM = 1, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };
enum { REALTIME = 0, MONOTONIC = 1, SECOND = 1000000000 };

static void touch(int *mutex)
{
    __atomic_load_n(mutex + LAST, RELAXED);
}

static void own(int *mutex)
{
    if (__obmc_asked("races")) {
        mutex[0] = mutex[0];
        mutex[LAST] = 0;
    } else {
        touch(mutex);
    }
}

static int kind_of(int *mutex)
{
    return __atomic_load_n(mutex + KIND, RELAXED) & 3;
}

/* POSIX leaves it undefined (glibc refuses what it can see). */
static void must_not_be_destroyed(int *mutex)
{
    if (__obmc_linked("pthread_mutex_destroy")) {
        if (__atomic_load_n(mutex + KIND, RELAXED) == DESTROYED)
            __obmc_undefined("used destroyed");
    }
}

/* What is never initialised has any kind; of a static mutex this is a constant. */
static void must_be_made(int *mutex)
{
    if ((unsigned)__atomic_load_n(mutex + KIND, RELAXED) > ALL_KINDS)
        __obmc_undefined("never initialised");
}

static int has_owner(int kind)
{
    return kind == RECURSIVE || kind == ERRORCHECK;
}

static int is_owner(int *mutex)
{
    return __atomic_load_n(mutex + LOCK, RELAXED)
        && __atomic_load_n(mutex + OWNER, RELAXED) == (int)__obmc_self();
}

static void take(int *mutex, int kind)
{
    __atomic_store_n(mutex + LOCK, 1, RELAXED);
    if (has_owner(kind)) {
        __atomic_store_n(mutex + OWNER, (int)__obmc_self(), RELAXED);
        __atomic_store_n(mutex + COUNT, 1, RELAXED);
    }
}

static int take_again(int *mutex, int kind)
{
    if (kind == ERRORCHECK)
        return E_DEADLK;
    unsigned count = __atomic_load_n(mutex + COUNT, RELAXED);
    __atomic_store_n(mutex + COUNT, count + 1, RELAXED);
    return 0;
}

int pthread_mutex_lock(int *mutex)
{
    if (__obmc_linked("pthread_mutexattr_setrobust")) {
        if (__obmc_is_robust(mutex))
            return __obmc_robust_lock(mutex);
    }
    int error = 0;
    __obmc_atomic_begin();
    touch(mutex);
    must_not_be_destroyed(mutex);
    must_be_made(mutex);
    int kind = kind_of(mutex);
    if (has_owner(kind) && is_owner(mutex)) {
        error = take_again(mutex, kind);
    } else {
        __obmc_wait(__atomic_load_n(mutex + LOCK, ACQUIRE) == 0);
        take(mutex, kind);
    }
    __obmc_atomic_end();
    return error;
}

static int try_lock(int *mutex, int owned)
{
    if (__obmc_linked("pthread_mutexattr_setrobust")) {
        if (__obmc_is_robust(mutex))
            return __obmc_robust_trylock(mutex, owned);
    }
    int error = 0;
    __obmc_atomic_begin();
    touch(mutex);
    must_not_be_destroyed(mutex);
    must_be_made(mutex);
    int kind = kind_of(mutex);
    if (__atomic_load_n(mutex + LOCK, RELAXED) == 0) {
        __atomic_load_n(mutex + LOCK, ACQUIRE);
        take(mutex, kind);
    } else if (!has_owner(kind) || !is_owner(mutex)) {
        error = E_BUSY;
    } else if (kind == RECURSIVE) {
        error = take_again(mutex, kind);
    } else {
        error = owned;
    }
    __obmc_atomic_end();
    return error;
}

int pthread_mutex_trylock(int *mutex)
{
    return try_lock(mutex, E_BUSY);
}

/* `deadline` is seconds and nanoseconds. */
static int late(const long *deadline)
{
    deadline[0];
    return deadline[1] >= 0 && deadline[1] < SECOND ? E_TIMEDOUT : E_INVAL;
}

int pthread_mutex_timedlock(int *mutex, const long *deadline)
{
    if (__obmc_asked("memory"))
        late(deadline);
    else if (deadline)
        late(deadline);
    int error = try_lock(mutex, E_DEADLK);
    return error == E_BUSY ? late(deadline) : error;
}

int pthread_mutex_clocklock(int *mutex, int clock, const long *deadline)
{
    if (clock != REALTIME && clock != MONOTONIC)
        return E_INVAL;
    int error = pthread_mutex_timedlock(mutex, deadline);
    if (__obmc_linked("clock_gettime"))
        if (error == E_TIMEDOUT)
            __obmc_reach_time(clock, deadline);
    return error;
}

static int unlock_owned(int *mutex)
{
    if (!is_owner(mutex))
        return E_PERM;
    unsigned count = (unsigned)__atomic_load_n(mutex + COUNT, RELAXED) - 1;
    __atomic_store_n(mutex + COUNT, count, RELAXED);
    if (count == 0)
        __atomic_store_n(mutex + LOCK, 0, RELEASE);
    return 0;
}

int pthread_mutex_unlock(int *mutex)
{
    if (__obmc_linked("pthread_mutexattr_setrobust")) {
        if (__obmc_is_robust(mutex))
            return __obmc_robust_unlock(mutex);
    }
    int error = 0;
    __obmc_atomic_begin();
    touch(mutex);
    must_not_be_destroyed(mutex);
    must_be_made(mutex);
    if (has_owner(kind_of(mutex)))
        error = unlock_owned(mutex);
    else
        __atomic_store_n(mutex + LOCK, 0, RELEASE);
    __obmc_atomic_end();
    return error;
}

int pthread_mutex_init(int *mutex, const int *attr)
{
    int kind = attr ? *attr & 3 : 0;
    if (__obmc_linked("pthread_mutexattr_setrobust")) {
        if (attr && *attr >> ROBUST_ATTRIBUTE & 1)
            kind |= ROBUST;
    }
    own(mutex);
    __obmc_atomic_begin();
    __atomic_store_n(mutex + LOCK, 0, RELAXED);
    __atomic_store_n(mutex + KIND, kind, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_mutex_destroy(int *mutex)
{
    int busy = __atomic_load_n(mutex + LOCK, RELAXED) != 0;
    if (__obmc_linked("pthread_mutexattr_setrobust")) {
        if (__obmc_is_robust(mutex))
            busy = 0;
    }
    if (busy)
        __obmc_undefined("destroyed locked");
    own(mutex);
    __atomic_store_n(mutex + KIND, DESTROYED, RELAXED);
    return 0;
}

/* C11 has mutexes for timed locks, and leaves those of others undefined. */
void __obmc_mutex_for_timed_locks(int *mutex)
{
    __obmc_atomic_begin();
    __atomic_store_n(mutex + KIND, __atomic_load_n(mutex + KIND, RELAXED) | TIMED, RELAXED);
    __obmc_atomic_end();
}

int __obmc_is_mutex_for_timed_locks(int *mutex)
{
    touch(mutex);
    return (__atomic_load_n(mutex + KIND, RELAXED) & TIMED) != 0;
}
