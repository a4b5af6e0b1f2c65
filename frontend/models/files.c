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
int __obmc_is_channel(int file);
void __obmc_no_channel(int file);
long __obmc_read_channel(int file, void *block, unsigned long size);
long __obmc_write_channel(int file, const void *block, unsigned long size);
void __obmc_close_channel(int file);
int __obmc_channel_flags(int file);
void __obmc_forget_interests(int file);
void __obmc_set_channel_flags(int file, int flags);
_Noreturn void __obmc_unsupported(const char *what);

enum { RELAXED = 0, FROM_START = 0, DUPLICATE = 0, DUPLICATE_CLOEXEC = 1030,
       GET_CLOEXEC = 1, GET_FLAGS = 3, SET_FLAGS = 4 };

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
 * ones, which say no more to a program, each is larger than those before. (Bits are kept by halves: none
 * is mistaken for an address.)
 */
static unsigned low[2];
static int high = 63;

static int is_low_and_open(int file)
{
    return __atomic_load_n(&low[file / 32], RELAXED) >> file % 32 & 1;
}

static void set_low(int file, int open)
{
    unsigned others = __atomic_load_n(&low[file / 32], RELAXED) & ~(1u << file % 32);
    __atomic_store_n(&low[file / 32], others | (unsigned)open << file % 32, RELAXED);
}

int __obmc_new_file(void)
{
    int file = __obmc_between(-1, 2147483647);
    if (file < 0)
        return file;
    __obmc_atomic_begin();
    if (file < 64) {
        __VERIFIER_assume(!is_low_and_open(file));
        set_low(file, 1);
    } else {
        __VERIFIER_assume(file > __atomic_load_n(&high, RELAXED));
        __atomic_store_n(&high, file, RELAXED);
    }
    __obmc_atomic_end();
    return file;
}

/* In the atomic block of the caller: the lowest that is free behind the standard ones. */
int __obmc_lowest_file(void)
{
    int file = 3;
    while (file < 64 && is_low_and_open(file))
        file++;
    if (file == 64)
        __obmc_unsupported("more than 64 open files");
    set_low(file, 1);
    return file;
}

/* Are there pipes and the like (channel.c)? */
static int channels(void)
{
    return __obmc_linked("pipe") + __obmc_linked("pipe2") + __obmc_linked("eventfd");
}

static int is_channel(int file)
{
    if (channels())
        return __obmc_is_channel(file);
    return 0;
}

static void no_channel(int file)
{
    if (channels())
        __obmc_no_channel(file);
}

static void is_open(int file, int open)
{
    if (file < 0 || file >= 64)
        return;
    __obmc_atomic_begin();
    set_low(file, open);
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
    if (__obmc_linked("epoll_ctl"))
        __obmc_forget_interests(file);
    if (is_channel(file)) {
        __obmc_atomic_begin();
        __obmc_close_channel(file);
        is_open(file, 0);
        __obmc_atomic_end();
        return 0;
    }
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
    no_channel(file);
    int result = __obmc_new_file();
    __VERIFIER_assume(result == -1 || result != file);
    return result;
}

int dup2(int file, int other)
{
    no_channel(file);
    no_channel(other);
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
            if (file < 0 || file > 63 || is_low_and_open(file))
                __obmc_roughly("what a file holds that the program may have written");
}

long read(int file, void *block, unsigned long size)
{
    __obmc_cancellation_point();
    if (is_channel(file))
        return __obmc_read_channel(file, block, size);
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
    no_channel(file);
    return read(file, block, size);
}

long write(int file, const void *block, unsigned long size)
{
    __obmc_read_block(block, size);
    __obmc_cancellation_point();
    if (is_channel(file))
        return __obmc_write_channel(file, block, size);
    return __obmc_between(-1, size);
}

long pwrite(int file, const void *block, unsigned long size, long at)
{
    no_channel(file);
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
    no_channel(file);
    return written(pieces, count);
}

/* Of a pipe: whether it blocks. Nothing else about it changes what the program sees. */
static int channel_control(int file, int command, int flags)
{
    if (command == DUPLICATE || command == DUPLICATE_CLOEXEC)
        __obmc_no_channel(file);
    if (command == GET_FLAGS)
        return __obmc_channel_flags(file);
    if (command == SET_FLAGS)
        __obmc_set_channel_flags(file, flags);
    return command == GET_CLOEXEC ? __obmc_between(0, 1) : 0;
}

static int flags_of(int command, __builtin_va_list *args)
{
    return command == SET_FLAGS ? __builtin_va_arg(*args, int) : 0;
}

/* Which of the calls that take more arguments do without memory of the program. */
int fcntl(int file, int command, ...)
{
    /* F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL and their kin. */
    if (command > 4 && command != DUPLICATE_CLOEXEC && command != 8 && command != 9)
        __obmc_unsupported("fcntl with a structure");
    __obmc_may_cancel();
    if (is_channel(file)) {
        __builtin_va_list args;
        __builtin_va_start(args, command);
        int flags = flags_of(command, &args);
        __builtin_va_end(args);
        return channel_control(file, command, flags);
    }
    if (command == DUPLICATE || command == DUPLICATE_CLOEXEC)
        return __obmc_new_file();
    return __obmc_between(-1, 2147483647);
}
