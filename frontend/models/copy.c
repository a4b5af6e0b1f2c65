/* Filling and copying memory.
 *
 * Idea: go by the widest unit that divides the size (long, int, byte), since that is how the cells
 * inside usually are, and fewer accesses are fewer events. Bytes are bytes: the result is the same.
 * Invariant: exactly the bytes that C names are touched, each once.
 * Cost: size / unit loads and stores; the loop bound is a constant wherever the size is.
 *
 * A comparison reads all bytes, and gives any number of the right sign; the `__obmc_sign_` twins give
 * -1, 0 or 1 and are for callers who only look at the sign (lower/sign.rs).
 */
_Noreturn void __obmc_unsupported(const char *what);
int __obmc_any_of_sign(int sign);
void __obmc_read_block(const void *block, unsigned long size);
int __obmc_any_truth(int truth);

static void forwards(void *to, const void *from, unsigned long size)
{
    if (size % sizeof(long) == 0) {
        for (unsigned long i = 0; i < size / sizeof(long); i++)
            ((unsigned long *)to)[i] = ((const unsigned long *)from)[i];
    } else if (size % sizeof(int) == 0) {
        for (unsigned long i = 0; i < size / sizeof(int); i++)
            ((unsigned *)to)[i] = ((const unsigned *)from)[i];
    } else {
        for (unsigned long i = 0; i < size; i++)
            ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}

static void backwards(unsigned char *to, const unsigned char *from, unsigned long size)
{
    while (size > 0) {
        size--;
        to[size] = from[size];
    }
}

/* Blocks that overlap are undefined for memcpy; that a block is copied onto itself does no harm. */
static void apart(const void *to, const void *from, unsigned long size)
{
    unsigned long distance = (unsigned long)to - (unsigned long)from;
    if (to != from && (distance < size || -distance < size))
        __obmc_unsupported("memcpy of blocks that overlap");
}

void *memcpy(void *to, const void *from, unsigned long size)
{
    apart(to, from, size);
    forwards(to, from, size);
    return to;
}

void *mempcpy(void *to, const void *from, unsigned long size)
{
    apart(to, from, size);
    forwards(to, from, size);
    return (char *)to + size;
}

void *memmove(void *to, const void *from, unsigned long size)
{
    if (to != from && (unsigned long)to - (unsigned long)from < size)
        backwards(to, from, size);
    else
        forwards(to, from, size);
    return to;
}

void bcopy(const void *from, void *to, unsigned long size)
{
    memmove(to, from, size);
}

void *memset(void *to, int byte, unsigned long size)
{
    unsigned long pattern = (unsigned char)byte * (-1ul / 255);
    if (size % sizeof(long) == 0) {
        for (unsigned long i = 0; i < size / sizeof(long); i++)
            ((unsigned long *)to)[i] = pattern;
    } else if (size % sizeof(int) == 0) {
        for (unsigned long i = 0; i < size / sizeof(int); i++)
            ((unsigned *)to)[i] = pattern;
    } else {
        for (unsigned long i = 0; i < size; i++)
            ((unsigned char *)to)[i] = byte;
    }
    return to;
}

void bzero(void *to, unsigned long size)
{
    memset(to, 0, size);
}

void explicit_bzero(void *to, unsigned long size)
{
    memset(to, 0, size);
}

void *__memcpy_chk(void *to, const void *from, unsigned long size, unsigned long room)
{
    return memcpy(to, from, size);
}

void *__memmove_chk(void *to, const void *from, unsigned long size, unsigned long room)
{
    return memmove(to, from, size);
}

void *__mempcpy_chk(void *to, const void *from, unsigned long size, unsigned long room)
{
    return mempcpy(to, from, size);
}

void __explicit_bzero_chk(void *to, unsigned long size, unsigned long room)
{
    memset(to, 0, size);
}

void *__memset_chk(void *to, int byte, unsigned long size, unsigned long room)
{
    return memset(to, byte, size);
}

int __obmc_sign_memcmp(const void *left, const void *right, unsigned long size)
{
    const unsigned char *a = left, *b = right;
    int order = 0;
    for (unsigned long i = 0; i < size; i++) {
        unsigned char x = a[i], y = b[i];
        if (!order && x != y)
            order = x < y ? -1 : 1;
    }
    return order;
}

int memcmp(const void *left, const void *right, unsigned long size)
{
    return __obmc_any_of_sign(__obmc_sign_memcmp(left, right, size));
}

int __obmc_truth_bcmp(const void *left, const void *right, unsigned long size)
{
    return __obmc_sign_memcmp(left, right, size);
}

int bcmp(const void *left, const void *right, unsigned long size)
{
    return __obmc_any_truth(__obmc_sign_memcmp(left, right, size) != 0);
}

void *memchr(const void *memory, int byte, unsigned long size)
{
    const unsigned char *bytes = memory;
    for (unsigned long i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)byte)
            return (void *)(bytes + i);
    return 0;
}

void *memccpy(void *to, const void *from, int byte, unsigned long size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (unsigned long i = 0; i < size; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)byte) {
            apart(to, from, i + 1);
            return t + i + 1;
        }
    }
    apart(to, from, size);
    return 0;
}

/* All of both blocks has to be there, wherever the part is found. */
void *memmem(const void *memory, unsigned long size, const void *part, unsigned long length)
{
    const unsigned char *m = memory, *p = part;
    __obmc_read_block(memory, size);
    __obmc_read_block(part, length);
    for (unsigned long i = 0; length <= size && i <= size - length; i++) {
        unsigned long same = 0;
        while (same < length && m[i + same] == p[same])
            same++;
        if (same == length)
            return (void *)(m + i);
    }
    return 0;
}

void *memrchr(const void *memory, int byte, unsigned long size)
{
    const unsigned char *bytes = memory;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char)byte)
            return (void *)(bytes + size);
    }
    return 0;
}
