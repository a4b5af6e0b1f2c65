/* Time. Clocks show anything (an arbitrary value, not an input); sleeping is being scheduled late,
 * which every thread may be anyway. Sleeping is a cancellation point.
 */
int __obmc_linked(const char *name);
void pthread_testcancel(void);

struct seconds_and_fraction {
    long seconds;
    long fraction;
};

static long any_time(void)
{
    long time;
    return time;
}

static int show(struct seconds_and_fraction *clock, long units)
{
    if (clock) {
        clock->seconds = any_time();
        clock->fraction = (unsigned long)any_time() % units;
    }
    return 0;
}

/* How long does not matter, but reading it may race. */
static void read_time(const struct seconds_and_fraction *time)
{
    if (time) {
        long seconds = time->seconds;
        long fraction = time->fraction;
    }
}

static int wake_up(void)
{
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    return 0;
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
    return any_time();
}

double difftime(long a, long b)
{
    return (double)a - (double)b;
}

int gettimeofday(struct seconds_and_fraction *t, void *zone)
{
    return show(t, 1000000);
}

int clock_gettime(int clock, struct seconds_and_fraction *t)
{
    return show(t, 1000000000);
}

int clock_getres(int clock, struct seconds_and_fraction *t)
{
    return show(t, 1000000000);
}

int timespec_get(struct seconds_and_fraction *t, int base)
{
    show(t, 1000000000);
    return base;
}

unsigned sleep(unsigned seconds)
{
    return wake_up();
}

int usleep(unsigned microseconds)
{
    return wake_up();
}

int nanosleep(const struct seconds_and_fraction *request, void *remaining)
{
    read_time(request);
    return wake_up();
}

int clock_nanosleep(int clock, int flags, const struct seconds_and_fraction *request,
                    void *remaining)
{
    read_time(request);
    return wake_up();
}
