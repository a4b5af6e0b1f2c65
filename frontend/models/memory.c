/* The heap. The IR allocates; every block starts in its own slot of the address space, so any
 * alignment that a program can ask for is given. malloc fails only where the engine says so.
 */
void *__obmc_alloc(unsigned long size, int zeroed);
void *__obmc_aligned_alloc(unsigned long alignment, unsigned long size);
void __obmc_free(void *block);
unsigned long __obmc_object_size(void *block);
int *__errno_location(void);
_Noreturn void __obmc_undefined(const char *what);
void *memcpy(void *to, const void *from, unsigned long size);

enum { E_NOMEM = 12, E_INVAL = 22 };

static int too_many(unsigned long count, unsigned long size)
{
    return size && count > -1ul / size;
}

static void *out_of_memory(void)
{
    *__errno_location() = E_NOMEM;
    return 0;
}

void *malloc(unsigned long size)
{
    return __obmc_alloc(size, 0);
}

void *calloc(unsigned long count, unsigned long size)
{
    return too_many(count, size) ? out_of_memory() : __obmc_alloc(count * size, 1);
}

void free(void *block)
{
    __obmc_free(block);
}

void cfree(void *block)
{
    __obmc_free(block);
}

static void *move(void *block, unsigned long size)
{
    void *fresh = __obmc_alloc(size, 0);
    if (fresh) {
        unsigned long old = __obmc_object_size(block);
        memcpy(fresh, block, old < size ? old : size);
        __obmc_free(block);
    }
    return fresh;
}

void *realloc(void *block, unsigned long size)
{
    if (!block)
        return __obmc_alloc(size, 0);
    if (size)
        return move(block, size);
    __obmc_free(block);
    return 0;
}

void *reallocarray(void *block, unsigned long count, unsigned long size)
{
    return too_many(count, size) ? out_of_memory() : realloc(block, count * size);
}

static int is_power_of_two(unsigned long n)
{
    return n && (n & (n - 1)) == 0;
}

int posix_memalign(void **block, unsigned long alignment, unsigned long size)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *))
        return E_INVAL;
    *block = __obmc_aligned_alloc(alignment, size);
    return *block ? 0 : E_NOMEM;
}

/* Of any other alignment C17 says null, C11 nothing, and glibc took the next power of two for long. */
void *aligned_alloc(unsigned long alignment, unsigned long size)
{
    if (!is_power_of_two(alignment))
        __obmc_undefined("unfit alignment");
    return __obmc_aligned_alloc(alignment, size);
}

void *memalign(unsigned long alignment, unsigned long size)
{
    return __obmc_aligned_alloc(alignment, size);
}

void *valloc(unsigned long size)
{
    return __obmc_aligned_alloc(4096, size);
}

void *pvalloc(unsigned long size)
{
    return __obmc_aligned_alloc(4096, (size + 4095) & ~4095ul);
}

unsigned long malloc_usable_size(void *block)
{
    return block ? __obmc_object_size(block) : 0;
}
