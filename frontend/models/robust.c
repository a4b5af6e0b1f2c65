/* Robust mutexes: a thread that locks one whose owner has ended is told so.
 *
 * Idea: LOCK is 0 (free), HELD, DIRTY (held by somebody who was told that the owner before has died)
 * or LOST (given back without pthread_mutex_consistent: no thread gets it any more). OWNER is the holder,
 * for all kinds.
 *
 * Invariant: a mutex is taken from an owner only after that thread has ended, and who hears that comes after all
 * that it did before. Linked only into programs that ask for robust mutexes.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
unsigned long __obmc_self(void);
int __obmc_ended(unsigned long thread);

enum { LOCK = 0, COUNT = 1, OWNER = 2, KIND = 3 + sizeof(long) / 8 };
enum { LAST = sizeof(long) == 8 ? 9 : 5 };
enum { RECURSIVE = 1, ERRORCHECK = 2, ROBUST = 16, DESTROYED = -1 };
enum { FREE = 0, HELD = 1, DIRTY = 2, LOST = 3 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_PERM = 1, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35 };
enum { E_OWNERDEAD = 130, E_NOTRECOVERABLE = 131 };

static int word(int *mutex, int i)
{
    return __atomic_load_n(mutex + i, RELAXED);
}

static void set(int *mutex, int i, int value)
{
    __atomic_store_n(mutex + i, value, RELAXED);
}

int __obmc_is_robust(int *mutex)
{
    word(mutex, LAST);
    int kind = word(mutex, KIND);
    return kind != DESTROYED && (kind & ROBUST) != 0;
}

static int is_mine(int *mutex)
{
    int lock = word(mutex, LOCK);
    return (lock == HELD || lock == DIRTY) && word(mutex, OWNER) == (int)__obmc_self();
}

static int take_again(int *mutex, int otherwise)
{
    if ((word(mutex, KIND) & 3) != RECURSIVE)
        return otherwise;
    set(mutex, COUNT, (unsigned)word(mutex, COUNT) + 1);
    return 0;
}

static int owner_died(int *mutex)
{
    int lock = word(mutex, LOCK);
    return (lock == HELD || lock == DIRTY) && __obmc_ended(word(mutex, OWNER));
}

static int take(int *mutex, int dead)
{
    __atomic_load_n(mutex + LOCK, ACQUIRE);
    set(mutex, LOCK, dead ? DIRTY : HELD);
    set(mutex, OWNER, (int)__obmc_self());
    set(mutex, COUNT, 1);
    return dead ? E_OWNERDEAD : 0;
}

int __obmc_robust_lock(int *mutex)
{
    int error;
    __obmc_atomic_begin();
    if (is_mine(mutex)) {
        int normal = (word(mutex, KIND) & 3) != RECURSIVE && (word(mutex, KIND) & 3) != ERRORCHECK;
        __obmc_wait(!normal);
        error = take_again(mutex, E_DEADLK);
    } else {
        int dead = owner_died(mutex);
        int lock = word(mutex, LOCK);
        __obmc_wait(lock == FREE || lock == LOST || dead);
        error = lock == LOST ? E_NOTRECOVERABLE : take(mutex, dead);
    }
    __obmc_atomic_end();
    return error;
}

int __obmc_robust_trylock(int *mutex, int owned)
{
    int error;
    __obmc_atomic_begin();
    int lock = word(mutex, LOCK);
    int dead = owner_died(mutex);
    if (is_mine(mutex))
        error = take_again(mutex, (word(mutex, KIND) & 3) == ERRORCHECK ? owned : E_BUSY);
    else if (lock == LOST)
        error = E_NOTRECOVERABLE;
    else if (lock != FREE && !dead)
        error = E_BUSY;
    else
        error = take(mutex, dead);
    __obmc_atomic_end();
    return error;
}

int __obmc_robust_unlock(int *mutex)
{
    int error = 0;
    __obmc_atomic_begin();
    if (!is_mine(mutex)) {
        error = E_PERM;
    } else {
        unsigned count = (unsigned)word(mutex, COUNT) - 1;
        set(mutex, COUNT, count);
        if (count == 0)
            __atomic_store_n(mutex + LOCK, word(mutex, LOCK) == DIRTY ? LOST : FREE, RELEASE);
    }
    __obmc_atomic_end();
    return error;
}

int pthread_mutex_consistent(int *mutex)
{
    int error = E_INVAL;
    __obmc_atomic_begin();
    int lock = word(mutex, LOCK);
    if (__obmc_is_robust(mutex) && lock == DIRTY) {
        set(mutex, LOCK, HELD);
        error = 0;
    }
    __obmc_atomic_end();
    return error;
}
