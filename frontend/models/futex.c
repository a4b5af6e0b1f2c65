/* Futexes: what `syscall(SYS_futex, ...)` becomes (lower/syscall.rs).
 *
 * Idea: as for condition variables. Where wake-ups may be spurious, a wait whose word has the
 * expected value may end at any time, so it is one look at the word, and a wake does nothing. If
 * somebody looks at how many were woken, threads also go to `sleeping` and get up again: as many as
 * are there, or fewer (the others were about to get up).
 * Otherwise (when looking for deadlocks) `sleeping` has a bit for each thread that sleeps, and
 * `bed[i]` says at which word. A wait looks at the word and goes to sleep in one step, a wake takes
 * out as many bits as it can, any of those at the word. A spurious wake-up is chosen before it comes to
 * sleeping.
 *
 * Invariant: bit i is set exactly while thread i sleeps at `bed[i]` and was not woken. The
 * look at the word is relaxed, and nothing else orders anything: a program that relies on the word must
 * read it again, as the manual page says. No signal interrupts a wait, since there are none.
 *
 * Cost: spurious: one load, none to wake. Else one load and two stores to wait; to wake, a load per
 * thread that there can be, but words of threads that never sleep are constants. At most 31 threads
 * can sleep.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_spurious(void);
int __obmc_wakes_counted(void);
unsigned long __obmc_self(void);
_Noreturn void __obmc_unsupported(const char *what);
_Bool __VERIFIER_nondet_bool(void);
int *__errno_location(void);

enum { RELAXED = 0 };
enum { E_AGAIN = 11, E_INVAL = 22, E_TIMEDOUT = 110, SECOND = 1000000000 };
enum { WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAIT_BITSET = 9, WAKE_BITSET = 10 };
enum { PRIVATE = 128, REALTIME = 256, MOST = 31 };

static unsigned sleeping;
static unsigned *bed[MOST + 1];

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

static unsigned asleep(void)
{
    return __atomic_load_n(&sleeping, RELAXED);
}

static void wake_up(unsigned set)
{
    __atomic_store_n(&sleeping, asleep() & ~set, RELAXED);
}

static unsigned my_number(void)
{
    unsigned long self = __obmc_self();
    if (self > MOST)
        __obmc_unsupported("futexes with more than 31 threads");
    return self;
}

/* Does the program look at how many threads were woken? */
static int counts(void)
{
    return __obmc_wakes_counted();
}

static int has(unsigned *word, unsigned value)
{
    return __atomic_load_n(word, RELAXED) == value;
}

static int go_to_bed(unsigned *word, unsigned value, unsigned me)
{
    __obmc_atomic_begin();
    int same = has(word, value);
    if (same && !__VERIFIER_nondet_bool()) {
        __atomic_store_n(&bed[me], word, RELAXED);
        __atomic_store_n(&sleeping, asleep() | 1u << me, RELAXED);
    }
    __obmc_atomic_end();
    return same;
}

static int sleep_or_time_out(unsigned me)
{
    __obmc_atomic_begin();
    int late = (asleep() & 1u << me) != 0;
    wake_up(1u << me);
    __obmc_atomic_end();
    return late ? fail(E_TIMEDOUT) : 0;
}

/* `timeout` is seconds and nanoseconds. */
static int is_time(const long *timeout)
{
    return timeout[0] >= 0 && timeout[1] >= 0 && timeout[1] < SECOND;
}

/* One look, and for those who count, two steps with sleep between them. */
static int has_or_naps(unsigned *word, unsigned value, unsigned me)
{
    if (!counts())
        return has(word, value);
    if (!go_to_bed(word, value, me))
        return 0;
    __obmc_atomic_begin();
    wake_up(1u << me);
    __obmc_atomic_end();
    return 1;
}

static int wait(unsigned *word, unsigned value, const long *timeout)
{
    unsigned me = my_number();
    int timed = timeout != 0;
    if (timed && !is_time(timeout))
        return fail(E_INVAL);
    if (__obmc_spurious()) {
        if (!has_or_naps(word, value, me))
            return fail(E_AGAIN);
        return timed && __VERIFIER_nondet_bool() ? fail(E_TIMEDOUT) : 0;
    }
    if (!go_to_bed(word, value, me))
        return fail(E_AGAIN);
    if (timed)
        return sleep_or_time_out(me);
    __obmc_atomic_begin();
    __obmc_wait((asleep() & 1u << me) == 0);
    __obmc_atomic_end();
    return 0;
}

static unsigned who_sleeps_at(unsigned *word)
{
    unsigned all = asleep();
    unsigned set = 0;
    for (int i = 1; i <= MOST; i++)
        if (all >> i & 1)
            if (__atomic_load_n(&bed[i], RELAXED) == word)
                set |= 1u << i;
    return set;
}

static int size(unsigned set)
{
    int n = 0;
    for (int i = 1; i <= MOST; i++)
        n += set >> i & 1;
    return n;
}

/* Any `n` of a set, or all if there are no more. */
static unsigned any_of(unsigned set, int n)
{
    int left = size(set);
    unsigned chosen = 0;
    if (n >= left)
        return set;
    for (int i = 1; i <= MOST; i++)
        if (set >> i & 1) {
            if (n > 0 && (left <= n || __VERIFIER_nondet_bool())) {
                chosen |= 1u << i;
                n--;
            }
            left--;
        }
    return chosen;
}

static int wake(unsigned *word, int n)
{
    /* The kernel wakes one thread then, the manual says none. */
    if (n <= 0)
        __obmc_unsupported("a futex wake of 0 threads");
    if (__obmc_spurious())
        if (!counts())
            return 0;
    __obmc_atomic_begin();
    unsigned woken = any_of(who_sleeps_at(word), n);
    wake_up(woken);
    __obmc_atomic_end();
    return size(woken);
}

static int requeue(unsigned *word, int n, int more, unsigned *other, int compare, unsigned value)
{
    if (n < 0 || more < 0)
        __obmc_unsupported("a futex requeue of less than 0 threads");
    if (__obmc_spurious())
        if (!counts())
            return compare && !has(word, value) ? fail(E_AGAIN) : 0;
    __obmc_atomic_begin();
    int fits = !compare || has(word, value);
    unsigned woken = 0, moved = 0;
    if (fits) {
        unsigned set = who_sleeps_at(word);
        woken = any_of(set, n);
        moved = any_of(set & ~woken, more);
        wake_up(woken);
        for (int i = 1; i <= MOST; i++)
            if (moved >> i & 1)
                __atomic_store_n(&bed[i], other, RELAXED);
    }
    __obmc_atomic_end();
    if (!fits)
        return fail(E_AGAIN);
    return size(woken) + (compare ? size(moved) : 0);
}

static void any_waiter(unsigned mask)
{
    if (mask != ~0u)
        __obmc_unsupported("a futex with a bit set");
}

/* `third` is a timeout or a number. */
long __obmc_futex(unsigned *word, int operation, unsigned value, unsigned long third,
                  unsigned *other, unsigned last)
{
    switch (operation & ~(PRIVATE | REALTIME)) {
    case WAIT:
        return wait(word, value, (const long *)third);
    case WAIT_BITSET:
        any_waiter(last);
        return wait(word, value, (const long *)third);
    case WAKE:
        return wake(word, value);
    case WAKE_BITSET:
        any_waiter(last);
        return wake(word, value);
    case REQUEUE:
        return requeue(word, value, third, other, 0, 0);
    case CMP_REQUEUE:
        return requeue(word, value, third, other, 1, last);
    }
    __obmc_unsupported("this futex operation");
}
