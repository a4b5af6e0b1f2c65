/* Calls to the system of which a program sees the result, what they write into its memory, and what
 * they read there. A result that says "failed" comes with some errno. As in output.c, what is
 * arbitrary is an uninitialised local.
 */
void __VERIFIER_assume(int condition);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
int __obmc_linked(const char *name);
int __obmc_repeated(const char *name);
void __obmc_roughly(const char *what);
long __obmc_between(long least, long most);
void __obmc_may_cancel(void);
void __obmc_read_string(const char *s, long limit);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);
_Noreturn void __obmc_unsupported(const char *what);
void __obmc_fill_some(void *block, long size, long done);

enum { RELAXED = 0 };

/* Any number, but always the same one. */
static long fixed(long *known, long least)
{
    long number = __obmc_between(least, 2147483646);
    __obmc_atomic_begin();
    if (__atomic_load_n(known, RELAXED))
        number = __atomic_load_n(known, RELAXED) - 1;
    __atomic_store_n(known, number + 1, RELAXED);
    __obmc_atomic_end();
    return number;
}

/* In programs that change who they are it may be another one. */
static unsigned id(long *known)
{
    if (__obmc_linked("setuid") + __obmc_linked("seteuid") + __obmc_linked("setgid")
        + __obmc_linked("setegid"))
        return __obmc_between(0, 2147483647);
    return fixed(known, 0);
}

unsigned getuid(void)
{
    static long known;
    return id(&known);
}

unsigned geteuid(void)
{
    static long known;
    return id(&known);
}

unsigned getgid(void)
{
    static long known;
    return id(&known);
}

unsigned getegid(void)
{
    static long known;
    return id(&known);
}

int getppid(void)
{
    return __obmc_between(0, 2147483647);
}

int getpgrp(void)
{
    static long known;
    if (!(__obmc_linked("setpgid") + __obmc_linked("setsid")))
        return fixed(&known, 1);
    return __obmc_between(1, 2147483647);
}

/* No process has the number 0. */
static int some_process(void)
{
    long result = __obmc_between(-1, 2147483647);
    __VERIFIER_assume(result != 0);
    return result;
}

int getpgid(int process)
{
    return some_process();
}

int getsid(int process)
{
    return some_process();
}

int setsid(void)
{
    return some_process();
}

int setuid(unsigned id)
{
    return __obmc_between(-1, 0);
}

int setgid(unsigned id)
{
    return __obmc_between(-1, 0);
}

int seteuid(unsigned id)
{
    return __obmc_between(-1, 0);
}

int setegid(unsigned id)
{
    return __obmc_between(-1, 0);
}

int setpgid(int process, int group)
{
    return __obmc_between(-1, 0);
}

int nice(int more)
{
    return __obmc_between(-20, 19);
}

int getpriority(int which, unsigned who)
{
    if (__obmc_linked("setpriority") + __obmc_linked("nice"))
        __obmc_roughly("`getpriority` returns any priority");
    return __obmc_between(-20, 19);
}

int setpriority(int which, unsigned who, int priority)
{
    return __obmc_between(-1, 0);
}

int getpagesize(void)
{
    return 4096;
}

/* The size of a page is what getpagesize says; any number of processors is at least 1. */
long sysconf(int name)
{
    if (name == 30)
        return 4096;
    if (name == 83 || name == 84)
        return __obmc_between(1, 2147483647);
    if (__obmc_repeated("sysconf"))
        __obmc_roughly("`sysconf` returns any number, not always the same one");
    return __obmc_between(-1, 2147483647);
}

long pathconf(const char *path, int name)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 2147483647);
}

long fpathconf(int file, int name)
{
    __obmc_may_cancel();
    return __obmc_between(-1, 2147483647);
}

int sched_getcpu(void)
{
    return __obmc_between(-1, 2147483647);
}

int mlock(const void *start, unsigned long size)
{
    return __obmc_between(-1, 0);
}

int munlock(const void *start, unsigned long size)
{
    return __obmc_between(-1, 0);
}

int mlockall(int flags)
{
    return __obmc_between(-1, 0);
}

int munlockall(void)
{
    return __obmc_between(-1, 0);
}

/* Two words: a time or limits. */
int setrlimit(int resource, const void *limit)
{
    __obmc_read_block(limit, 2 * sizeof(long));
    return __obmc_between(-1, 0);
}

int getrlimit(int resource, void *limit)
{
    int result = __obmc_between(-1, 0);
    if (result == 0) {
        if (__obmc_linked("setrlimit"))
            __obmc_roughly("`getrlimit` tells any limits");
        __obmc_fill(limit, 2 * sizeof(long));
        __VERIFIER_assume(((unsigned long *)limit)[0] <= ((unsigned long *)limit)[1]);
    }
    return result;
}

int getrusage(int who, void *usage)
{
    int result = __obmc_between(-1, 0);
    if (result == 0)
        __obmc_fill(usage, 18 * sizeof(long));
    return result;
}

int clock_settime(int clock, const void *time)
{
    __obmc_read_block(time, 2 * sizeof(long));
    return __obmc_between(-1, 0);
}

int settimeofday(const void *time, const void *zone)
{
    if (time)
        __obmc_read_block(time, 2 * sizeof(long));
    if (zone)
        __obmc_read_block(zone, 2 * sizeof(int));
    return __obmc_between(-1, 0);
}

int gethostname(char *name, unsigned long size)
{
    int result = __obmc_between(-1, 0);
    if (result == 0)
        __obmc_fill(name, size);
    return result;
}

long getrandom(void *block, unsigned long size, unsigned flags)
{
    long done = __obmc_between(-1, size);
    __obmc_fill_some(block, size, done);
    return done;
}

int getentropy(void *block, unsigned long size)
{
    int result = __obmc_between(-1, 0);
    if (result == 0)
        __obmc_fill(block, size);
    return result;
}

/* Six texts of 65 bytes, each of which ends. */
int uname(char *names)
{
    int result = __obmc_between(-1, 0);
    if (result == 0) {
        if (__obmc_repeated("uname"))
            __obmc_roughly("`uname` tells any names, not always the same ones");
        __obmc_fill(names, 6 * 65);
        for (int i = 0; i < 6; i++)
            names[65 * i + 64] = 0;
    }
    return result;
}

void openlog(const char *name, int options, int facility)
{
    if (name)
        __obmc_read_string(name, -1);
    __obmc_may_cancel();
}

void closelog(void)
{
    __obmc_may_cancel();
}

int setlogmask(int mask)
{
    if (__obmc_repeated("setlogmask"))
        __obmc_roughly("`setlogmask` returns any mask");
    return __obmc_between(0, 255);
}

unsigned long long __rdtsc(void)
{
    unsigned long long result;
    return result;
}

/* Advice that throws away what is in the pages is not modelled. */
static void no_loss(int advice)
{
    if (advice == 4 || advice == 8 || advice == 9 || advice == 24 || advice == 100)
        __obmc_unsupported("madvise that empties pages");
}

int madvise(void *start, unsigned long size, int advice)
{
    no_loss(advice);
    return __obmc_between(-1, 0);
}

int posix_madvise(void *start, unsigned long size, int advice)
{
    int result = __obmc_between(-1, 0);
    return result ? 12 : 0;
}

int msync(void *start, unsigned long size, int flags)
{
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

/* Nothing calls them: a fork is not modelled. */
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    int result = __obmc_between(-1, 0);
    return result ? 12 : 0;
}

/* Requests that set something about the process or the thread, and a few that ask. */
int prctl(int option, const char *name)
{
    if (option == 15) {
        __obmc_read_string(name, 15);
        return __obmc_between(-1, 0);
    }
    if (option == 3 || option == 7 || option == 27 || option == 30 || option == 39)
        return __obmc_between(-1, 2147483647);
    if (option != 1 && option != 4 && option != 8 && option != 29 && option != 36 && option != 38
        && option != 41 && option != 0x53564d41 && option != 0x59616d61)
        __obmc_unsupported("prctl with this request");
    return __obmc_between(-1, 0);
}

int prlimit(int process, int resource, const void *fresh, void *old)
{
    if (fresh)
        __obmc_read_block(fresh, 2 * sizeof(long));
    int result = __obmc_between(-1, 0);
    if (old && result == 0)
        __obmc_fill(old, 2 * sizeof(long));
    return result;
}

int getcpu(unsigned *cpu, unsigned *node)
{
    int result = __obmc_between(-1, 0);
    if (cpu && result == 0)
        __obmc_fill(cpu, sizeof *cpu);
    if (node && result == 0)
        __obmc_fill(node, sizeof *node);
    return result;
}

int get_nprocs_conf(void)
{
    static long known;
    return fixed(&known, 1);
}

int get_nprocs(void)
{
    int result = __obmc_between(1, 2147483646);
    __VERIFIER_assume(result <= get_nprocs_conf());
    return result;
}

unsigned long getauxval(unsigned long type)
{
    unsigned long value;
    return value;
}

int malloc_trim(unsigned long pad)
{
    return 1 + __obmc_between(-1, 0);
}

int mallopt(int parameter, int value)
{
    return 1 + __obmc_between(-1, 0);
}

void tzset(void)
{
}
