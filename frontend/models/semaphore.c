/* Semaphores.
 *
 * Idea: the first word is the value; wait blocks until it is positive and takes one in the same
 * atomic block, post adds one.
 *
 * Invariant: the value is initial + posts - successful waits and never negative. Post releases and
 * a successful wait acquires; all changes are read-modify-writes, so a wait comes after every post
 * that it may have consumed, and posts are not ordered among each other. A failing try or timed
 * wait orders nothing, and a timed wait fails only while the value is 0.
 *
 * Cost: wait and post 1 load 1 store.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_linked(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
int __obmc_sem_wait_cancellable(unsigned *semaphore);
void pthread_testcancel(void);
int *__errno_location(void);

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_AGAIN = 11, E_INVAL = 22, E_TIMEDOUT = 110, LARGEST = 0x7fffffff };

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

static int take_one(unsigned *semaphore)
{
    __obmc_atomic_begin();
    unsigned value = __atomic_load_n(semaphore, ACQUIRE);
    __obmc_wait(value > 0);
    __atomic_store_n(semaphore, value - 1, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int sem_wait(unsigned *semaphore)
{
    if (__obmc_linked("pthread_cancel"))
        return __obmc_sem_wait_cancellable(semaphore);
    return take_one(semaphore);
}

static int try_take_one(unsigned *semaphore, int error)
{
    __obmc_atomic_begin();
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

int sem_timedwait(unsigned *semaphore, const void *deadline)
{
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    return try_take_one(semaphore, E_TIMEDOUT);
}

int sem_clockwait(unsigned *semaphore, int clock, const void *deadline)
{
    return sem_timedwait(semaphore, deadline);
}

int sem_post(unsigned *semaphore)
{
    __atomic_fetch_add(semaphore, 1, RELEASE);
    return 0;
}

int sem_getvalue(unsigned *semaphore, int *value)
{
    *value = __atomic_load_n(semaphore, RELAXED);
    return 0;
}

int sem_init(unsigned *semaphore, int shared, unsigned value)
{
    if (value > LARGEST)
        return fail(E_INVAL);
    __atomic_store_n(semaphore, value, RELAXED);
    return 0;
}

int sem_destroy(unsigned *semaphore)
{
    return 0;
}

unsigned *sem_open(const char *name, int flags, ...)
{
    __obmc_unsupported("sem_open");
}

int sem_close(unsigned *semaphore)
{
    __obmc_unsupported("sem_close");
}

int sem_unlink(const char *name)
{
    __obmc_unsupported("sem_unlink");
}
