/* Files, as far as a program sees them: results, any bytes that are read, and what is given, which is
 * read. Nothing is remembered of a file but that it is open.
 */
void __VERIFIER_assume(int condition);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
int __obmc_linked(const char *name);
long __obmc_between(long least, long most);
void __obmc_result(long result);
void __obmc_may_cancel(void);
void __obmc_cancellation_point(void);
void __obmc_read_string(const char *s, long limit);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill_some(void *block, long size, long done);
void __obmc_roughly(const char *what);
_Noreturn void __obmc_unsupported(const char *what);

enum { RELAXED = 0, FROM_START = 0, DUPLICATE = 0, DUPLICATE_CLOEXEC = 1030 };

int access(const char *path, int mode)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int chdir(const char *path)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int rmdir(const char *path)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int unlink(const char *path)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int chroot(const char *path)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int remove(const char *path)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int faccessat(int folder, const char *path, int mode, int flags)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int rename(const char *from, const char *to)
{
    __obmc_read_string(from, -1);
    __obmc_read_string(to, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int link(const char *from, const char *to)
{
    __obmc_read_string(from, -1);
    __obmc_read_string(to, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int symlink(const char *from, const char *to)
{
    __obmc_read_string(from, -1);
    __obmc_read_string(to, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int chmod(const char *path, unsigned mode)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int fchmod(int file, unsigned mode)
{
    return __obmc_between(-1, 0);
}

int chown(const char *path, unsigned owner, unsigned group)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int lchown(const char *path, unsigned owner, unsigned group)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int fchown(int file, unsigned owner, unsigned group)
{
    return __obmc_between(-1, 0);
}

int fchdir(int file)
{
    return __obmc_between(-1, 0);
}

int mkdir(const char *path, unsigned mode)
{
    __obmc_read_string(path, -1);
    __obmc_may_cancel();
    return __obmc_between(-1, 0);
}

int mkfifo(const char *path, unsigned mode)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

/* The first mask is anything. */
unsigned umask(unsigned mask)
{
    static unsigned last;
    static int known;
    unsigned before = __obmc_between(0, 511);
    __obmc_atomic_begin();
    if (__atomic_load_n(&known, RELAXED))
        before = __atomic_load_n(&last, RELAXED);
    __atomic_store_n(&last, mask & 511, RELAXED);
    __atomic_store_n(&known, 1, RELAXED);
    __obmc_atomic_end();
    return before;
}

int truncate(const char *path, long size)
{
    __obmc_read_string(path, -1);
    return __obmc_between(-1, 0);
}

int ftruncate(int file, long size)
{
    return __obmc_between(-1, 0);
}

/* A number that no open file has, or -1. Low numbers are used again when they are closed; of high
 * ones, which say no more to a program, each is larger than those before.
 */
static unsigned long long low;
static int high = 63;

int __obmc_new_file(void)
{
    int file = __obmc_between(-1, 2147483647);
    if (file < 0)
        return file;
    __obmc_atomic_begin();
    if (file < 64) {
        unsigned long long all = __atomic_load_n(&low, RELAXED);
        __VERIFIER_assume(!(all >> file & 1));
        __atomic_store_n(&low, all | 1ull << file, RELAXED);
    } else {
        __VERIFIER_assume(file > __atomic_load_n(&high, RELAXED));
        __atomic_store_n(&high, file, RELAXED);
    }
    __obmc_atomic_end();
    return file;
}

static void is_open(int file, int open)
{
    if (file < 0 || file >= 64)
        return;
    __obmc_atomic_begin();
    unsigned long long others = __atomic_load_n(&low, RELAXED) & ~(1ull << file);
    __atomic_store_n(&low, others | (unsigned long long)open << file, RELAXED);
    __obmc_atomic_end();
}

int open(const char *path, int flags, ...)
{
    __obmc_read_string(path, -1);
    __obmc_cancellation_point();
    return __obmc_new_file();
}

int open64(const char *path, int flags, ...)
{
    return open(path, flags);
}

int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

int openat(int folder, const char *path, int flags, ...)
{
    return open(path, flags);
}

int creat(const char *path, unsigned mode)
{
    return open(path, 0);
}

int close(int file)
{
    __obmc_cancellation_point();
    is_open(file, 0);
    return __obmc_between(-1, 0);
}

int fsync(int file)
{
    __obmc_cancellation_point();
    return __obmc_between(-1, 0);
}

int fdatasync(int file)
{
    __obmc_cancellation_point();
    return __obmc_between(-1, 0);
}

void sync(void)
{
}

int dup(int file)
{
    int result = __obmc_new_file();
    __VERIFIER_assume(result == -1 || result != file);
    return result;
}

int dup2(int file, int other)
{
    long result = __obmc_between(-1, 2147483647);
    __VERIFIER_assume(result == -1 || result == other);
    if (result >= 0)
        is_open(other, 1);
    return result;
}

/* The standard files stay what they are, in programs that close none. */
int isatty(int file)
{
    static long answers[3];
    long failed;
    __VERIFIER_assume(failed == 0 || failed == -1);
    if (file >= 0 && file < 3 && !(__obmc_linked("close") + __obmc_linked("dup2"))) {
        __obmc_atomic_begin();
        long before = __atomic_load_n(&answers[file], RELAXED);
        if (before)
            failed = before - 2;
        __atomic_store_n(&answers[file], failed + 2, RELAXED);
        __obmc_atomic_end();
    }
    __obmc_result(failed);
    return failed == 0;
}

long lseek(int file, long offset, int whence)
{
    long result = __obmc_between(-1, -1ul / 2);
    __VERIFIER_assume(result == -1 || whence != FROM_START || result == offset);
    return result;
}

/* What the program has written itself it finds there: no violation behind that is told. */
void __obmc_may_be_ours(int file)
{
    if (__obmc_linked("open") + __obmc_linked("open64") + __obmc_linked("openat")
        + __obmc_linked("creat") + __obmc_linked("socketpair") + __obmc_linked("accept"))
        if (__obmc_linked("write") + __obmc_linked("pwrite") + __obmc_linked("writev")
            + __obmc_linked("send") + __obmc_linked("sendto") + __obmc_linked("dprintf"))
            if (file < 0 || file > 63 || __atomic_load_n(&low, RELAXED) >> file & 1)
                __obmc_roughly("what a file holds that the program may have written");
}

long read(int file, void *block, unsigned long size)
{
    __obmc_cancellation_point();
    __obmc_may_be_ours(file);
    long done = __obmc_between(-1, size);
    __obmc_fill_some(block, size, done);
    return done;
}

long __read_chk(int file, void *block, unsigned long size, unsigned long room)
{
    return read(file, block, size);
}

long pread(int file, void *block, unsigned long size, long at)
{
    return read(file, block, size);
}

long write(int file, const void *block, unsigned long size)
{
    __obmc_read_block(block, size);
    __obmc_cancellation_point();
    return __obmc_between(-1, size);
}

long pwrite(int file, const void *block, unsigned long size, long at)
{
    return write(file, block, size);
}

struct piece {
    void *start;
    unsigned long size;
};

static long written(const struct piece *pieces, int count)
{
    unsigned long size = 0;
    for (int i = 0; i < count; i++) {
        __obmc_read_block(pieces[i].start, pieces[i].size);
        size += pieces[i].size;
    }
    __obmc_cancellation_point();
    return __obmc_between(-1, size);
}

long writev(int file, const struct piece *pieces, int count)
{
    return written(pieces, count);
}

/* Which of the calls that take more arguments do without memory of the program. */
int fcntl(int file, int command, ...)
{
    /* F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL and their kin. */
    if (command > 4 && command != DUPLICATE_CLOEXEC && command != 8 && command != 9)
        __obmc_unsupported("fcntl with a structure");
    __obmc_may_cancel();
    if (command == DUPLICATE || command == DUPLICATE_CLOEXEC)
        return __obmc_new_file();
    return __obmc_between(-1, 2147483647);
}
