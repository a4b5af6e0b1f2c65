/* Read-write locks.
 *
 * Idea: READERS counts the readers inside, WRITER is the thread that writes, or 0. A reader waits for
 * no writer, a writer for neither; each tests and takes in one atomic block. A lock that prefers
 * writers and has no recursive readers also counts WAITING writers: with readers inside and a writer
 * waiting, no other reader comes in.
 *
 * Invariant: WRITER is 0 while READERS is not. Two words keep the order exact: a writer's unlock
 * releases WRITER, which every locker acquires; a reader's unlock releases READERS, which only a
 * writer acquires. Every later change of READERS is a read-modify-write and so continues the
 * release sequences of all readers before it. So reader -> reader gives no order.
 * Timed variants fail only while they would have to wait, like the try variants. A writer that locks
 * again is told so, as glibc does; a reader that wants to write waits for ever. Who unlocks what it
 * does not hold leaves the definition.
 * Every operation touches the last word, so that all of the object must be there. Who makes or
 * destroys a lock writes that word plainly, where races are looked for.
 *
 * Cost: rdlock 2 loads 1 store, wrlock 2 loads 1 store, unlock at most 2 loads 1 store; kind and last
 * word are constants unless pthread_rwlock_init is called.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
unsigned long __obmc_self(void);
int __obmc_asked(const char *what);
int __obmc_linked(const char *name);
void __obmc_reach_time(int clock, const long *time);
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void __obmc_undefined(const char *what);

enum { READERS = 0, WRITER = 1, WAITING = 2, KIND = sizeof(long) == 8 ? 12 : 6 };
enum { LAST = sizeof(long) == 8 ? 13 : 7 };
enum { WRITERS_FIRST = 2, DESTROYED = 255, ALL_KINDS = 255 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };
enum { REALTIME = 0, MONOTONIC = 1, SECOND = 1000000000 };

static void touch(int *lock)
{
    __atomic_load_n(lock + LAST, RELAXED);
}

/* What was destroyed has a kind of its own, if the program destroys any; what was never initialised has any. */
static void use(int *lock)
{
    touch(lock);
    if (__obmc_linked("pthread_rwlock_destroy")) {
        if (__atomic_load_n(lock + KIND, RELAXED) == DESTROYED)
            __obmc_undefined("used another destroyed");
    }
    if ((unsigned)__atomic_load_n(lock + KIND, RELAXED) > ALL_KINDS)
        __obmc_undefined("never initialised");
}

static void own(int *lock)
{
    if (__obmc_asked("races")) {
        lock[0] = lock[0];
        lock[LAST] = 0;
    } else {
        touch(lock);
    }
}

static void add(int *word, int n)
{
    __atomic_store_n(word, (unsigned)__atomic_load_n(word, RELAXED) + n, RELAXED);
}

static int is_mine(int *lock)
{
    return __atomic_load_n(lock + WRITER, RELAXED) == (int)__obmc_self();
}

static int writers_first(int *lock)
{
    return (__atomic_load_n(lock + KIND, RELAXED) & 255) == WRITERS_FIRST;
}

/* Must a reader let a writer go first? */
static int gives_way(int *lock)
{
    return writers_first(lock) && __atomic_load_n(lock + READERS, RELAXED) > 0
        && __atomic_load_n(lock + WAITING, RELAXED) > 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    int error = 0;
    __obmc_atomic_begin();
    use(lock);
    if (is_mine(lock)) {
        error = E_DEADLK;
    } else {
        __obmc_wait(__atomic_load_n(lock + WRITER, ACQUIRE) == 0 && !gives_way(lock));
        add(lock + READERS, 1);
    }
    __obmc_atomic_end();
    return error;
}

static void take(int *lock)
{
    int writer = __atomic_load_n(lock + WRITER, ACQUIRE);
    int readers = __atomic_load_n(lock + READERS, ACQUIRE);
    __obmc_wait((writer | readers) == 0);
    __atomic_store_n(lock + WRITER, (int)__obmc_self(), RELAXED);
}

static void take_in_turn(int *lock)
{
    __obmc_atomic_begin();
    take(lock);
    add(lock + WAITING, -1);
    __obmc_atomic_end();
}

int pthread_rwlock_wrlock(int *lock)
{
    int error = 0;
    int queued = 0;
    __obmc_atomic_begin();
    use(lock);
    if (is_mine(lock)) {
        error = E_DEADLK;
    } else if (writers_first(lock)) {
        add(lock + WAITING, 1);
        queued = 1;
    } else {
        take(lock);
    }
    __obmc_atomic_end();
    if (queued)
        take_in_turn(lock);
    return error;
}

static int try_read(int *lock, int busy, int owned)
{
    int error = 0;
    __obmc_atomic_begin();
    use(lock);
    if (is_mine(lock)) {
        error = owned;
    } else if (__atomic_load_n(lock + WRITER, RELAXED) || gives_way(lock)) {
        error = busy;
    } else {
        __atomic_load_n(lock + WRITER, ACQUIRE);
        add(lock + READERS, 1);
    }
    __obmc_atomic_end();
    return error;
}

static int try_write(int *lock, int busy, int owned)
{
    int error = 0;
    __obmc_atomic_begin();
    use(lock);
    int writer = __atomic_load_n(lock + WRITER, RELAXED);
    int readers = __atomic_load_n(lock + READERS, RELAXED);
    if (is_mine(lock))
        error = owned;
    else if (writer | readers)
        error = busy;
    else
        take(lock);
    __obmc_atomic_end();
    return error;
}

/* `deadline` is seconds and nanoseconds. */
static int is_time(int clock, const long *deadline)
{
    deadline[0];
    int known = clock == REALTIME || clock == MONOTONIC;
    return known && deadline[1] >= 0 && deadline[1] < SECOND;
}

static int late(int error, int clock, const long *deadline)
{
    if (__obmc_linked("clock_gettime"))
        if (error == E_TIMEDOUT)
            __obmc_reach_time(clock, deadline);
    return error;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    return try_read(lock, E_BUSY, E_BUSY);
}

int pthread_rwlock_clockrdlock(int *lock, int clock, const long *deadline)
{
    if (!is_time(clock, deadline))
        return E_INVAL;
    return late(try_read(lock, E_TIMEDOUT, E_DEADLK), clock, deadline);
}

int pthread_rwlock_timedrdlock(int *lock, const long *deadline)
{
    return pthread_rwlock_clockrdlock(lock, REALTIME, deadline);
}

int pthread_rwlock_trywrlock(int *lock)
{
    return try_write(lock, E_BUSY, E_BUSY);
}

int pthread_rwlock_clockwrlock(int *lock, int clock, const long *deadline)
{
    if (!is_time(clock, deadline))
        return E_INVAL;
    return late(try_write(lock, E_TIMEDOUT, E_DEADLK), clock, deadline);
}

int pthread_rwlock_timedwrlock(int *lock, const long *deadline)
{
    return pthread_rwlock_clockwrlock(lock, REALTIME, deadline);
}

int pthread_rwlock_unlock(int *lock)
{
    __obmc_atomic_begin();
    use(lock);
    if (__obmc_asked("races"))
        __atomic_load_n(lock + READERS, RELAXED);
    if (is_mine(lock)) {
        __atomic_store_n(lock + WRITER, 0, RELEASE);
    } else {
        int readers = __atomic_load_n(lock + READERS, RELAXED);
        if (readers <= 0)
            __obmc_unsupported("unlocking a read-write lock that is not held");
        __atomic_store_n(lock + READERS, readers - 1, RELEASE);
    }
    __obmc_atomic_end();
    return 0;
}

int pthread_rwlock_init(int *lock, const int *attr)
{
    int kind = attr ? (*attr, __atomic_load_n(attr + 1, RELAXED)) : 0;
    own(lock);
    __obmc_atomic_begin();
    __atomic_store_n(lock + READERS, 0, RELAXED);
    __atomic_store_n(lock + WRITER, 0, RELAXED);
    if (__obmc_linked("pthread_rwlockattr_setkind_np"))
        __atomic_store_n(lock + WAITING, 0, RELAXED);
    __atomic_store_n(lock + KIND, kind, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    use(lock);
    int writer = __atomic_load_n(lock + WRITER, RELAXED);
    int readers = __atomic_load_n(lock + READERS, RELAXED);
    if (writer | readers)
        __obmc_undefined("destroyed another held");
    own(lock);
    __atomic_store_n(lock + KIND, DESTROYED, RELAXED);
    return 0;
}

int pthread_rwlockattr_init(int *attr)
{
    attr[0] = 0;
    attr[1] = 0;
    return 0;
}

int pthread_rwlockattr_destroy(int *attr)
{
    attr[0] = 0;
    attr[1] = 0;
    return 0;
}

int pthread_rwlockattr_setpshared(int *attr, int shared)
{
    if (shared != 0 && shared != 1)
        return E_INVAL;
    attr[0] = shared;
    attr[1] = attr[1];
    return 0;
}

int pthread_rwlockattr_getpshared(const int *attr, int *shared)
{
    attr[1];
    *shared = attr[0];
    return 0;
}

int pthread_rwlockattr_setkind_np(int *attr, int kind)
{
    if (kind < 0 || kind > WRITERS_FIRST)
        return E_INVAL;
    attr[0] = attr[0];
    attr[1] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const int *attr, int *kind)
{
    attr[0];
    *kind = attr[1];
    return 0;
}
