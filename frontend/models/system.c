/* Calls to the system of which a program sees nothing but the result. A result that says "failed"
 * comes with some errno. As in output.c, what is arbitrary is an uninitialised local.
 */
void __VERIFIER_assume(int condition);
int *__errno_location(void);

static long between(long least, long most)
{
    long result;
    __VERIFIER_assume(least <= result && result <= most);
    if (result < 0) {
        int reason;
        __VERIFIER_assume(reason > 0);
        *__errno_location() = reason;
    }
    return result;
}

static void *some_pointer(void)
{
    void *result;
    return result;
}

static int any_int(void)
{
    int result;
    return result;
}

int access(const char *path, int mode)
{
    return between(-1, 0);
}

int chdir(const char *path)
{
    return between(-1, 0);
}

int close(int file)
{
    return between(-1, 0);
}

int creat(const char *path, unsigned mode)
{
    return between(-1, 2147483647);
}

int dup(int file)
{
    return between(-1, 2147483647);
}

int dup2(int file, int other)
{
    return between(-1, 2147483647);
}

int fsync(int file)
{
    return between(-1, 0);
}

int ftruncate(int file, long size)
{
    return between(-1, 0);
}

unsigned getuid(void)
{
    return between(0, 2147483647);
}

unsigned geteuid(void)
{
    return between(0, 2147483647);
}

unsigned getgid(void)
{
    return between(0, 2147483647);
}

int getppid(void)
{
    return between(0, 2147483647);
}

int getpagesize(void)
{
    return 4096;
}

int isatty(int file)
{
    return between(0, 1);
}

long lseek(int file, long offset, int whence)
{
    return between(-1, 2147483647);
}

int rmdir(const char *path)
{
    return between(-1, 0);
}

long sysconf(int name)
{
    return between(-1, 2147483647);
}

int unlink(const char *path)
{
    return between(-1, 0);
}

long write(int file, const void *block, unsigned long size)
{
    const char *bytes = block;
    for (unsigned long i = 0; i < size; i++) {
        char byte = bytes[i];
    }
    return between(-1, size);
}

int chmod(const char *path, unsigned mode)
{
    return between(-1, 0);
}

int mkdir(const char *path, unsigned mode)
{
    return between(-1, 0);
}

unsigned umask(unsigned mask)
{
    return between(0, 511);
}

int socket(int domain, int type, int protocol)
{
    return between(-1, 2147483647);
}

int bind(int file, const void *address, unsigned size)
{
    return between(-1, 0);
}

int connect(int file, const void *address, unsigned size)
{
    return between(-1, 0);
}

int listen(int file, int waiting)
{
    return between(-1, 0);
}

int setsockopt(int file, int level, int option, const void *value, unsigned size)
{
    return between(-1, 0);
}

long send(int file, const void *block, unsigned long size, int flags)
{
    return write(file, block, size);
}

int shutdown(int file, int how)
{
    return between(-1, 0);
}

int mlock(const void *start, unsigned long size)
{
    return between(-1, 0);
}

int mlockall(int flags)
{
    return between(-1, 0);
}

int setrlimit(int resource, const void *limit)
{
    return between(-1, 0);
}

int clock_settime(int clock, const void *time)
{
    return between(-1, 0);
}

int settimeofday(const void *time, const void *zone)
{
    return between(-1, 0);
}

int sched_getcpu(void)
{
    return between(-1, 2147483647);
}

void *fopen(const char *path, const char *mode)
{
    return some_pointer();
}

void *fdopen(int file, const char *mode)
{
    return some_pointer();
}

void *freopen(const char *path, const char *mode, void *stream)
{
    return some_pointer();
}

void *tmpfile(void)
{
    return some_pointer();
}

int fclose(void *stream)
{
    return between(-1, 0);
}

int pclose(void *stream)
{
    return any_int();
}

int feof(void *stream)
{
    return any_int();
}

int ferror(void *stream)
{
    return any_int();
}

void clearerr(void *stream)
{
}

int fileno(void *stream)
{
    return between(-1, 2147483647);
}

int fseek(void *stream, long offset, int whence)
{
    return between(-1, 0);
}

long ftell(void *stream)
{
    return between(-1, 2147483647);
}

void rewind(void *stream)
{
}

int ungetc(int c, void *stream)
{
    return any_int();
}

int remove(const char *path)
{
    return between(-1, 0);
}

int rename(const char *from, const char *to)
{
    return between(-1, 0);
}

void openlog(const char *name, int options, int facility)
{
}

void closelog(void)
{
}

unsigned long long __rdtsc(void)
{
    unsigned long long result;
    return result;
}
