/* Time. Clocks show anything (an arbitrary value, not an input); sleeping is being scheduled late,
 * which every thread may be anyway. Sleeping is a cancellation point.
 *
 * Idea: the clocks that never go back remember what they showed last, in programs that look into
 * times at all: one that only takes them, for a log say, has nothing to compare. What is remembered
 * is for all threads, in the order of their calls, and orders nothing (relaxed). They also know of
 * threads that sleep: who sleeps remembers what the clock showed before, and when the thread wakes up
 * it shows that much more, or has gone further. Other models say when a wait until a time was in vain.
 */
int __obmc_mentioned(const char *name);
int __obmc_linked(const char *name);
int __obmc_repeated(const char *name);
void __obmc_roughly(const char *what);
void __VERIFIER_assume(int condition);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_cancellation_point(void);
int *__errno_location(void);

enum { MONOTONIC = 1, ABSOLUTE = 1, SECOND = 1000000000 };
enum { RELAXED = 0, REALTIME = 0, THREAD = 3, REALTIME_COARSE = 5, CLOCKS = 8, LAST = 11, UTC = 1,
       E_INVAL = 22 };

struct seconds_and_fraction {
    long seconds;
    long fraction;
};

/* Linux counts the nanoseconds of every clock in 63 bits (ktime_t): before the year 2262. So a time in
 * nanoseconds fits into 64 bits. */
static long any_time(void)
{
    long time;
    __VERIFIER_assume(time >= 0 && time < 9223372036LL);
    return time;
}

static void show(struct seconds_and_fraction *clock, long units)
{
    long fraction;
    __VERIFIER_assume(fraction >= 0 && fraction < units);
    clock->seconds = any_time();
    clock->fraction = fraction;
}

/* What a clock shows that showed `last` before. */
static void show_later(struct seconds_and_fraction *clock, struct seconds_and_fraction *last)
{
    long fraction;
    __VERIFIER_assume(fraction >= 0 && fraction < 1000000000);
    __obmc_atomic_begin();
    long seconds = any_time();
    long before = __atomic_load_n(&last->seconds, RELAXED);
    __VERIFIER_assume(seconds > before
                      || (seconds == before
                          && fraction >= __atomic_load_n(&last->fraction, RELAXED)));
    __atomic_store_n(&last->seconds, seconds, RELAXED);
    __atomic_store_n(&last->fraction, fraction, RELAXED);
    __obmc_atomic_end();
    clock->seconds = seconds;
    clock->fraction = fraction;
}

static struct seconds_and_fraction last[CLOCKS];

/* Can the program compare what a clock shows before and after it sleeps? */
static int watches_sleep(void)
{
    return (__obmc_mentioned("tv_sec") | __obmc_mentioned("tv_nsec"))
        & __obmc_linked("clock_gettime");
}

/* The clock has gone so far, or further. */
static void has_reached(long seconds, long fraction)
{
    __obmc_atomic_begin();
    long now = __atomic_load_n(&last[MONOTONIC].seconds, RELAXED);
    if (seconds > now
        || (seconds == now && fraction > __atomic_load_n(&last[MONOTONIC].fraction, RELAXED))) {
        __atomic_store_n(&last[MONOTONIC].seconds, seconds, RELAXED);
        __atomic_store_n(&last[MONOTONIC].fraction, fraction, RELAXED);
    }
    __obmc_atomic_end();
}

static void sleep_for(long seconds, long fraction)
{
    if (watches_sleep()) {
        __obmc_atomic_begin();
        long before = __atomic_load_n(&last[MONOTONIC].seconds, RELAXED);
        fraction += __atomic_load_n(&last[MONOTONIC].fraction, RELAXED);
        __obmc_atomic_end();
        /* Who sleeps for longer than clocks can show does not wake up. */
        __VERIFIER_assume(seconds < (sizeof(long) == 8 ? 9223372036LL : 2147483647) - before);
        seconds += before;
        if (fraction >= SECOND) {
            seconds++;
            fraction -= SECOND;
        }
    }
    __obmc_cancellation_point();
    if (watches_sleep())
        has_reached(seconds, fraction);
}

/* Who waited until a time, in vain, has seen the clock go so far. Other clocks may be set. */
void __obmc_reach_time(int clock, const struct seconds_and_fraction *time)
{
    if (watches_sleep() && clock == MONOTONIC)
        has_reached(time->seconds, time->fraction);
}

void __obmc_sleep(const struct seconds_and_fraction *time)
{
    sleep_for(time->seconds, time->fraction);
}

static void show_clock(int clock, struct seconds_and_fraction *t)
{
    static __thread struct seconds_and_fraction own;
    if (__obmc_mentioned("tv_sec") + __obmc_mentioned("tv_nsec")) {
        if (clock == THREAD) {
            show_later(t, &own);
            return;
        }
        if (clock < CLOCKS && clock != REALTIME && clock != REALTIME_COARSE) {
            show_later(t, &last[clock]);
            return;
        }
    }
    show(t, 1000000000);
}

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

/* How long does not matter, but reading it may race, and it must be a time. */
static int is_time(const struct seconds_and_fraction *time)
{
    long seconds = time->seconds;
    long fraction = time->fraction;
    return seconds >= 0 && fraction >= 0 && fraction < 1000000000;
}

long time(long *t)
{
    long now = any_time();
    if (t)
        *t = now;
    return now;
}

long clock(void)
{
    static long last;
    long now;
    __obmc_atomic_begin();
    __VERIFIER_assume(now >= __atomic_load_n(&last, RELAXED));
    __atomic_store_n(&last, now, RELAXED);
    __obmc_atomic_end();
    return now;
}

double difftime(long a, long b)
{
    return (double)a - (double)b;
}

int gettimeofday(struct seconds_and_fraction *t, int *zone)
{
    if (t)
        show(t, 1000000);
    if (zone) {
        int west, summer;
        zone[0] = west;
        zone[1] = summer;
    }
    return 0;
}

int clock_gettime(int clock, struct seconds_and_fraction *t)
{
    if (clock < 0 || clock > LAST)
        return fail(E_INVAL);
    show_clock(clock, t);
    return 0;
}

int clock_getres(int clock, struct seconds_and_fraction *t)
{
    if (clock < 0 || clock > LAST)
        return fail(E_INVAL);
    if (__obmc_repeated("clock_getres"))
        __obmc_roughly("`clock_getres` tells any time, not always the same one");
    if (t)
        show(t, 1000000000);
    return 0;
}

int timespec_get(struct seconds_and_fraction *t, int base)
{
    if (base != UTC)
        return 0;
    show(t, 1000000000);
    return base;
}

unsigned sleep(unsigned seconds)
{
    sleep_for(seconds, 0);
    return 0;
}

int usleep(unsigned microseconds)
{
    sleep_for(microseconds / 1000000, microseconds % 1000000 * 1000);
    return 0;
}

int nanosleep(const struct seconds_and_fraction *request, void *remaining)
{
    if (!is_time(request))
        return fail(E_INVAL);
    if (watches_sleep())
        sleep_for(request->seconds, request->fraction);
    else
        __obmc_cancellation_point();
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct seconds_and_fraction *request,
                    void *remaining)
{
    if (!is_time(request))
        return E_INVAL;
    if (watches_sleep() && flags != ABSOLUTE) {
        sleep_for(request->seconds, request->fraction);
        return 0;
    }
    __obmc_cancellation_point();
    if (watches_sleep() && clock == MONOTONIC)
        has_reached(request->seconds, request->fraction);
    return 0;
}
