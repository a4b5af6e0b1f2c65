/* Pages: anonymous mappings.
 *
 * Idea: a mapping that belongs to no file is a block of zeros, which munmap of the whole of it ends. So
 * a use after munmap or beyond the last page is an invalid access. Files, given addresses, parts of
 * mappings, and pages that may not be read or written are not modelled.
 *
 * Invariant: `kept` has all mappings, so one that the program forgets is no lost memory, and memory
 * that is given to munmap without being one of them is not modelled. It is written by relaxed atomics:
 * mapping orders nothing. At most 8 at a time.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void *__obmc_alloc(unsigned long size, int zeroed);
void __obmc_free(void *block);
long __obmc_between(long least, long most);
_Noreturn void __obmc_unsupported(const char *what);
int *__errno_location(void);

enum { MAPPINGS = 8, PAGE = 4096, RELAXED = 0, E_NOMEM = 12, E_INVAL = 22 };
enum { READ_WRITE = 3, FIXED = 0x10, ANONYMOUS = 0x20, FIXED_NOREPLACE = 0x100000 };

static char *kept[MAPPINGS];
static unsigned long sizes[MAPPINGS];

static unsigned long in_pages(unsigned long size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static void keep(char *block, unsigned long size)
{
    int at = 0;
    __obmc_atomic_begin();
    while (at < MAPPINGS && __atomic_load_n(&kept[at], RELAXED))
        at++;
    if (at == MAPPINGS)
        __obmc_unsupported("more than 8 mappings");
    __atomic_store_n(&kept[at], block, RELAXED);
    __atomic_store_n(&sizes[at], size, RELAXED);
    __obmc_atomic_end();
}

static void *fail(int error)
{
    *__errno_location() = error;
    return (void *)-1;
}

void *mmap(void *address, unsigned long size, int protection, int flags, int file, long offset)
{
    if (!(flags & ANONYMOUS))
        __obmc_unsupported("mmap of a file");
    if (flags & (FIXED | FIXED_NOREPLACE))
        __obmc_unsupported("mmap at a given address");
    if ((protection & READ_WRITE) != READ_WRITE)
        __obmc_unsupported("mmap of pages that may not be read or written");
    if (size == 0)
        return fail(E_INVAL);
    if (size > -1ul - PAGE)
        return fail(E_NOMEM);
    char *block = __obmc_alloc(in_pages(size), 1);
    if (!block)
        return fail(E_NOMEM);
    keep(block, in_pages(size));
    return block;
}

void *mmap64(void *address, unsigned long size, int protection, int flags, int file, long long offset)
{
    return mmap(address, size, protection, flags, file, 0);
}

int munmap(void *address, unsigned long size)
{
    int at = 0;
    if (size == 0) {
        *__errno_location() = E_INVAL;
        return -1;
    }
    __obmc_atomic_begin();
    while (at < MAPPINGS && __atomic_load_n(&kept[at], RELAXED) != (char *)address)
        at++;
    if (at == MAPPINGS || !address || __atomic_load_n(&sizes[at], RELAXED) != in_pages(size))
        __obmc_unsupported("munmap of something else than a whole mapping");
    __atomic_store_n(&kept[at], (char *)0, RELAXED);
    __obmc_atomic_end();
    __obmc_free(address);
    return 0;
}

int mprotect(void *address, unsigned long size, int protection)
{
    if ((protection & READ_WRITE) != READ_WRITE)
        __obmc_unsupported("mprotect that forbids to read or write");
    return __obmc_between(-1, 0);
}
