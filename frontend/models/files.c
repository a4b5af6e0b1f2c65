/* Files, as far as a program sees them: results, any bytes that are read, and what is given, which is
 * read. Nothing is remembered of a file.
 */
void __VERIFIER_assume(int condition);
long __obmc_between(long least, long most);
void __obmc_result(long result);
void __obmc_may_cancel(void);
void __obmc_cancellation_point(void);
void __obmc_read_string(const char *s, long limit);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill_some(void *block, long size, long done);
_Noreturn void __obmc_unsupported(const char *what);

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

unsigned umask(unsigned mask)
{
    return __obmc_between(0, 511);
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

int open(const char *path, int flags, ...)
{
    __obmc_read_string(path, -1);
    __obmc_cancellation_point();
    return __obmc_between(-1, 2147483647);
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
    return __obmc_between(-1, 2147483647);
}

int dup2(int file, int other)
{
    long result = __obmc_between(-1, 2147483647);
    __VERIFIER_assume(result == -1 || result == other);
    return result;
}

int isatty(int file)
{
    long failed;
    __VERIFIER_assume(failed == 0 || failed == -1);
    __obmc_result(failed);
    return failed == 0;
}

long lseek(int file, long offset, int whence)
{
    return __obmc_between(-1, -1ul / 2);
}

long read(int file, void *block, unsigned long size)
{
    __obmc_cancellation_point();
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
    if (command > 4 && command != 1030 && command != 8 && command != 9)
        __obmc_unsupported("fcntl with a structure");
    __obmc_may_cancel();
    return __obmc_between(-1, 2147483647);
}
