/* What a file is: anything, within what numbers of files can be. The whole structure is written, as
 * the kernel does it; its layout is that of x86-64.
 */
void __VERIFIER_assume(int condition);
long __obmc_between(long least, long most);
void __obmc_may_cancel(void);
void __obmc_read_string(const char *s, long limit);
_Noreturn void __obmc_unsupported(const char *what);

enum { BILLION = 1000000000, MODES = 0177777 };

struct moment {
    long seconds;
    long fraction;
};

struct stat {
    unsigned long device, number, links;
    unsigned mode, user, group, padding;
    unsigned long special;
    long size, block, blocks;
    struct moment read, written, changed;
    long reserved[3];
};

static long natural(void)
{
    long any;
    __VERIFIER_assume(any >= 0);
    return any;
}

static struct moment moment(void)
{
    struct moment any;
    __VERIFIER_assume(any.fraction >= 0 && any.fraction < BILLION);
    return any;
}

static int tell(struct stat *to)
{
    if (sizeof(long) == 4)
        __obmc_unsupported("the structure of a file under ILP32");
    __obmc_may_cancel();
    if (__obmc_between(-1, 0))
        return -1;
    struct stat any;
    __VERIFIER_assume(any.mode <= MODES);
    any.size = natural();
    any.block = natural();
    any.blocks = natural();
    any.read = moment();
    any.written = moment();
    any.changed = moment();
    *to = any;
    return 0;
}

int stat(const char *path, struct stat *to)
{
    __obmc_read_string(path, -1);
    return tell(to);
}

int lstat(const char *path, struct stat *to)
{
    return stat(path, to);
}

int fstat(int file, struct stat *to)
{
    return tell(to);
}
