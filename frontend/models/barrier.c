/* Barriers.
 *
 * Idea: ARRIVED counts who has come in this round. The last to come empties it and hands out SIZE
 * leave tickets in LEAVING; everybody, the last one too, leaves by taking one. A new round starts
 * when all tickets are taken.
 *
 * Invariant: LEAVING > 0 only while ARRIVED is 0, so a ticket always belongs to the leaver's own
 * round and the barrier can be used again at once. That a newcomer waits for the leavers is not
 * visible: taking a ticket is never blocked and touches nothing else. The thread that takes the first ticket
 * gets PTHREAD_BARRIER_SERIAL_THREAD: exactly one per round, and it can be any of them.
 * Arriving acquires and releases ARRIVED, so the last one comes after all; it releases LEAVING,
 * which all leavers acquire (taking tickets continues the release sequence): all -> all. Leaving
 * releases, too, for who destroys the barrier: it waits for the leavers.
 * Arriving touches the last word, so that all of the object must be there. Who makes or destroys a
 * barrier writes that word plainly, where races are looked for.
 *
 * Cost: 4 loads and 2 stores per wait, no loop.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_asked(const char *what);
int __obmc_linked(const char *name);
_Noreturn void __obmc_undefined(const char *what);

enum { SIZE = 0, ARRIVED = 1, LEAVING = 2, LAST = sizeof(long) == 8 ? 7 : 4 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_BUSY = 16, E_INVAL = 22, SERIAL_THREAD = -1, MOST = 0x7ffffffe };

static void touch(unsigned *barrier)
{
    __atomic_load_n(barrier + LAST, RELAXED);
}

static void own(unsigned *barrier)
{
    if (__obmc_asked("races")) {
        barrier[0] = barrier[0];
        barrier[LAST] = 0;
    } else {
        touch(barrier);
    }
}

static void arrive(unsigned *barrier, unsigned size)
{
    __obmc_atomic_begin();
    touch(barrier);
    __obmc_wait(__atomic_load_n(barrier + LEAVING, RELAXED) == 0);
    unsigned arrived = __atomic_load_n(barrier + ARRIVED, ACQUIRE) + 1;
    __atomic_store_n(barrier + ARRIVED, arrived == size ? 0 : arrived, RELEASE);
    if (arrived == size)
        __atomic_store_n(barrier + LEAVING, size, RELEASE);
    __obmc_atomic_end();
}

static unsigned leave(unsigned *barrier)
{
    __obmc_atomic_begin();
    unsigned tickets = __atomic_load_n(barrier + LEAVING, ACQUIRE);
    __obmc_wait(tickets > 0);
    __atomic_store_n(barrier + LEAVING, tickets - 1, RELEASE);
    __obmc_atomic_end();
    return tickets;
}

int pthread_barrier_wait(unsigned *barrier)
{
    unsigned size = __atomic_load_n(barrier + SIZE, RELAXED);
    /* There is no initialiser: one that is zero was never made, or was destroyed. */
    if (size == 0) {
        touch(barrier);
        __obmc_undefined("barrier without size");
    }
    if (size > MOST)
        __obmc_undefined("never initialised");
    arrive(barrier, size);
    return leave(barrier) == size ? SERIAL_THREAD : 0;
}

int pthread_barrier_init(unsigned *barrier, const int *attr, unsigned size)
{
    if (size == 0 || size > MOST)
        return E_INVAL;
    if (attr)
        *attr;
    own(barrier);
    __obmc_atomic_begin();
    __atomic_store_n(barrier + SIZE, size, RELAXED);
    __atomic_store_n(barrier + ARRIVED, 0, RELAXED);
    __atomic_store_n(barrier + LEAVING, 0, RELAXED);
    __obmc_atomic_end();
    return 0;
}

int pthread_barrier_destroy(unsigned *barrier)
{
    __obmc_atomic_begin();
    __obmc_wait(__atomic_load_n(barrier + LEAVING, ACQUIRE) == 0);
    int busy = __atomic_load_n(barrier + ARRIVED, RELAXED) != 0;
    __obmc_atomic_end();
    if (!busy) {
        own(barrier);
        __atomic_store_n(barrier + SIZE, 0, RELAXED);
    }
    return busy ? E_BUSY : 0;
}

int pthread_barrierattr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_barrierattr_destroy(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_barrierattr_setpshared(int *attr, int shared)
{
    if (shared != 0 && shared != 1)
        return E_INVAL;
    *attr = shared;
    return 0;
}

int pthread_barrierattr_getpshared(const int *attr, int *shared)
{
    *shared = *attr;
    return 0;
}
