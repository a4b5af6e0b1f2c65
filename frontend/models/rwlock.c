/* Read-write locks.
 *
 * Idea: READERS counts the readers inside, WRITER is 1 while a writer is inside. A reader waits for
 * no writer, a writer for neither; each tests and takes in one atomic block.
 *
 * Invariant: WRITER is 1 only while READERS is 0. Two words keep the order exact: a writer's unlock
 * releases WRITER, which every locker acquires; a reader's unlock releases READERS, which only a
 * writer acquires. Every later change of READERS is a read-modify-write and so continues the
 * release sequences of all readers before it. So reader -> reader gives no order.
 * Timed variants fail only while they would have to wait, like the try variants. A thread that
 * locks again what it has locked for writing waits for ever.
 *
 * Cost: rdlock 2 loads 1 store, wrlock 2 loads 1 store, unlock at most 2 loads 1 store.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);

enum { READERS = 0, WRITER = 1 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_BUSY = 16, E_TIMEDOUT = 110 };

static void enter_reader(int *lock)
{
    __atomic_store_n(lock + READERS, __atomic_load_n(lock + READERS, RELAXED) + 1, RELAXED);
}

int pthread_rwlock_rdlock(int *lock)
{
    __obmc_atomic_begin();
    __obmc_wait(__atomic_load_n(lock + WRITER, ACQUIRE) == 0);
    enter_reader(lock);
    __obmc_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __obmc_atomic_begin();
    int writer = __atomic_load_n(lock + WRITER, ACQUIRE);
    int readers = __atomic_load_n(lock + READERS, ACQUIRE);
    __obmc_wait((writer | readers) == 0);
    __atomic_store_n(lock + WRITER, 1, RELAXED);
    __obmc_atomic_end();
    return 0;
}

static int try_read(int *lock, int error)
{
    __obmc_atomic_begin();
    if (__atomic_load_n(lock + WRITER, RELAXED) == 0) {
        pthread_rwlock_rdlock(lock);
        error = 0;
    }
    __obmc_atomic_end();
    return error;
}

static int try_write(int *lock, int error)
{
    __obmc_atomic_begin();
    int writer = __atomic_load_n(lock + WRITER, RELAXED);
    int readers = __atomic_load_n(lock + READERS, RELAXED);
    if ((writer | readers) == 0) {
        pthread_rwlock_wrlock(lock);
        error = 0;
    }
    __obmc_atomic_end();
    return error;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    return try_read(lock, E_BUSY);
}

int pthread_rwlock_timedrdlock(int *lock, const void *deadline)
{
    return try_read(lock, E_TIMEDOUT);
}

int pthread_rwlock_clockrdlock(int *lock, int clock, const void *deadline)
{
    return try_read(lock, E_TIMEDOUT);
}

int pthread_rwlock_trywrlock(int *lock)
{
    return try_write(lock, E_BUSY);
}

int pthread_rwlock_timedwrlock(int *lock, const void *deadline)
{
    return try_write(lock, E_TIMEDOUT);
}

int pthread_rwlock_clockwrlock(int *lock, int clock, const void *deadline)
{
    return try_write(lock, E_TIMEDOUT);
}

int pthread_rwlock_unlock(int *lock)
{
    __obmc_atomic_begin();
    if (__atomic_load_n(lock + WRITER, RELAXED)) {
        __atomic_store_n(lock + WRITER, 0, RELEASE);
    } else {
        int readers = __atomic_load_n(lock + READERS, RELAXED);
        if (readers > 0)
            __atomic_store_n(lock + READERS, readers - 1, RELEASE);
    }
    __obmc_atomic_end();
    return 0;
}

int pthread_rwlock_init(int *lock, const void *attr)
{
    __obmc_atomic_begin();
    __atomic_store_n(lock + READERS, 0, RELAXED);
    __atomic_store_n(lock + WRITER, 0, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
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
    return 0;
}

int pthread_rwlockattr_setpshared(int *attr, int shared)
{
    attr[0] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const int *attr, int *shared)
{
    *shared = attr[0];
    return 0;
}

int pthread_rwlockattr_setkind_np(int *attr, int kind)
{
    attr[1] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const int *attr, int *kind)
{
    *kind = attr[1];
    return 0;
}
