/* Spin locks: a mutex without kinds. Waiting is blocking, since spinning has no other effect.
 *
 * Invariant: the word is 1 exactly while the lock is held; unlock releases, a successful lock
 * acquires, a failing trylock orders nothing.
 * What is never initialised has any word, which ends an execution where the word is no lock's; static locks that
 * no thread initialises are found by src/never_made.rs.
 * Where races are looked for, who makes or destroys a lock writes it plainly.
 * Cost: lock 1 load 1 store, unlock 1 store.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_asked(const char *what);
int __obmc_linked(const char *name);
_Noreturn void __obmc_undefined(const char *what);

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_BUSY = 16, DESTROYED = -1, TAKEN = 1 };

/* Does nothing unless the program destroys any. */
static void must_not_be_destroyed(int *lock)
{
    if (__obmc_linked("pthread_spin_destroy")) {
        if (__atomic_load_n(lock, RELAXED) == DESTROYED)
            __obmc_undefined("used another destroyed");
    }
}

static void must_be_made(int *lock)
{
    if ((unsigned)__atomic_load_n(lock, RELAXED) > TAKEN)
        __obmc_undefined("never initialised");
}

int pthread_spin_lock(int *lock)
{
    __obmc_atomic_begin();
    must_not_be_destroyed(lock);
    must_be_made(lock);
    __obmc_wait(__atomic_load_n(lock, ACQUIRE) == 0);
    __atomic_store_n(lock, 1, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    int error = E_BUSY;
    __obmc_atomic_begin();
    must_not_be_destroyed(lock);
    must_be_made(lock);
    if (__atomic_load_n(lock, RELAXED) == 0) {
        pthread_spin_lock(lock);
        error = 0;
    }
    __obmc_atomic_end();
    return error;
}

int pthread_spin_unlock(int *lock)
{
    must_not_be_destroyed(lock);
    __atomic_store_n(lock, 0, RELEASE);
    return 0;
}

int pthread_spin_init(int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    if (__atomic_load_n(lock, RELAXED) != 0)
        __obmc_undefined("destroyed another held");
    if (__obmc_asked("races"))
        *lock = DESTROYED;
    else
        __atomic_store_n(lock, DESTROYED, RELAXED);
    return 0;
}
