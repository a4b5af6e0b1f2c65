/* Semaphores.
 *
 * Idea: the first word is the value; wait blocks until it is positive and takes one in the same
 * atomic block, post adds one.
 *
 * Invariant: the value is initial + posts - successful waits and never negative. Post releases and
 * a successful wait acquires; all changes are read-modify-writes, so a wait comes after every post
 * that it may have consumed, and posts are not ordered among each other. A failing try or timed
 * wait orders nothing, and a timed wait fails only while the value is 0.
 * What is never initialised has any value, which ends an execution where no semaphore has it.
 * Every operation touches the last word, so that all of the object must be there. Who makes or
 * destroys a semaphore writes that word plainly, where races are looked for; a wait touches it before
 * it waits there, since one that was not made yet cannot go on.
 *
 * Cost: wait and post 1 load 1 store.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_linked(const char *name);
void __obmc_reach_time(int clock, const long *time);
int __obmc_asked(const char *what);
_Noreturn void __obmc_undefined(const char *what);
int __obmc_sem_wait_cancellable(unsigned *semaphore);
void pthread_testcancel(void);
int *__errno_location(void);

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_AGAIN = 11, E_INVAL = 22, E_OVERFLOW = 75, E_TIMEDOUT = 110, LARGEST = 0x7fffffff };
enum { LAST = sizeof(long) == 8 ? 7 : 3 };
enum { DESTROYED = -1 };
enum { REALTIME = 0, MONOTONIC = 1, SECOND = 1000000000 };

static void touch(unsigned *semaphore)
{
    __atomic_load_n(semaphore + LAST, RELAXED);
}

/* The last word of one that was destroyed says so, if the program destroys any. */
static void use(unsigned *semaphore)
{
    if (__obmc_linked("sem_destroy")) {
        if (__atomic_load_n(semaphore + LAST, RELAXED) == DESTROYED)
            __obmc_undefined("used another destroyed");
    } else {
        touch(semaphore);
    }
    if (__atomic_load_n(semaphore, RELAXED) > LARGEST)
        __obmc_undefined("never initialised");
}

static void set_destroyed(unsigned *semaphore, unsigned word)
{
    if (__obmc_linked("sem_destroy"))
        __atomic_store_n(semaphore + LAST, word, RELAXED);
}

static void own(unsigned *semaphore)
{
    if (__obmc_asked("races")) {
        semaphore[0] = semaphore[0];
        semaphore[LAST] = 0;
    } else {
        touch(semaphore);
    }
}

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

static int take_one(unsigned *semaphore)
{
    __obmc_atomic_begin();
    use(semaphore);
    unsigned value = __atomic_load_n(semaphore, ACQUIRE);
    __obmc_wait(value > 0);
    __atomic_store_n(semaphore, value - 1, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int sem_wait(unsigned *semaphore)
{
    if (__obmc_asked("races"))
        touch(semaphore);
    if (__obmc_linked("pthread_cancel"))
        return __obmc_sem_wait_cancellable(semaphore);
    return take_one(semaphore);
}

static int try_take_one(unsigned *semaphore, int error)
{
    __obmc_atomic_begin();
    use(semaphore);
    int available = __atomic_load_n(semaphore, RELAXED) > 0;
    if (available)
        take_one(semaphore);
    __obmc_atomic_end();
    return available ? 0 : fail(error);
}

int sem_trywait(unsigned *semaphore)
{
    return try_take_one(semaphore, E_AGAIN);
}

/* `deadline` is seconds and nanoseconds. */
int sem_clockwait(unsigned *semaphore, int clock, const long *deadline)
{
    deadline[0];
    int known = clock == REALTIME || clock == MONOTONIC;
    if (!known || deadline[1] < 0 || deadline[1] >= SECOND)
        return fail(E_INVAL);
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    int result = try_take_one(semaphore, E_TIMEDOUT);
    if (__obmc_linked("clock_gettime"))
        if (result != 0)
            __obmc_reach_time(clock, deadline);
    return result;
}

int sem_timedwait(unsigned *semaphore, const long *deadline)
{
    return sem_clockwait(semaphore, REALTIME, deadline);
}

int sem_post(unsigned *semaphore)
{
    __obmc_atomic_begin();
    use(semaphore);
    unsigned value = __atomic_load_n(semaphore, RELAXED);
    int full = value == LARGEST;
    if (!full)
        __atomic_store_n(semaphore, value + 1, RELEASE);
    __obmc_atomic_end();
    return full ? fail(E_OVERFLOW) : 0;
}

int sem_getvalue(unsigned *semaphore, int *value)
{
    use(semaphore);
    *value = __atomic_load_n(semaphore, RELAXED);
    return 0;
}

int sem_init(unsigned *semaphore, int shared, unsigned value)
{
    if (value > LARGEST)
        return fail(E_INVAL);
    own(semaphore);
    set_destroyed(semaphore, 0);
    __atomic_store_n(semaphore, value, RELAXED);
    return 0;
}

int sem_destroy(unsigned *semaphore)
{
    use(semaphore);
    own(semaphore);
    set_destroyed(semaphore, DESTROYED);
    return 0;
}
