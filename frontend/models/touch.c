/* What the library reads and writes of memory that it is given, where only that matters: a string up
 * to its end, a block as a whole. What is written is anything: uninitialised locals and not inputs,
 * so an engine has to choose only what the program looks at.
 * Cost: as in copy.c, by the widest unit that divides the size.
 */
void __VERIFIER_assume(int condition);
int __obmc_linked(const char *name);
int __obmc_asked(const char *what);
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void __obmc_undefined(const char *what);
int __obmc_mentioned(const char *name);
void __obmc_remember_result(long result);
const char *__obmc_library_text(void);
void __obmc_stream_is_written(const void *stream);
void __obmc_stream_is_read(const void *stream);

enum use { LOOKS, READS, WRITES };

/* Texts of the library end (texts.c). */
static int is_of_the_library(const char *s)
{
    if (__obmc_linked("strerror") + __obmc_linked("strsignal"))
        return s == __obmc_library_text();
    return 0;
}

void __obmc_read_string(const char *s, long limit)
{
    if (is_of_the_library(s))
        return;
    if (limit < 0) {
        while (*s)
            s++;
    } else {
        for (long n = 0; n < limit && s[n]; n++)
            ;
    }
}

/* For `%s`. A null pointer is undefined there, and glibc prints a word for it: unless valid accesses are
 * the question, this is not the end that reading it would be. */
void __obmc_text_is_there(const void *s)
{
    if (!__obmc_asked("memory"))
        if (!s)
            __obmc_undefined("null text");
}

/* The limit counts bytes, of which a character may have several. */
void __obmc_read_wide_string(const int *s, long limit)
{
    for (long n = 0; n != limit && s[n]; n++)
        ;
}

void __obmc_read_block(const void *block, unsigned long size)
{
    if (size % sizeof(long) == 0) {
        for (unsigned long i = 0; i < size / sizeof(long); i++)
            (void)((const volatile long *)block)[i];
    } else {
        for (unsigned long i = 0; i < size; i++)
            (void)((const volatile char *)block)[i];
    }
}

void __obmc_fill(void *block, unsigned long size)
{
    if (size % sizeof(long) == 0) {
        for (unsigned long i = 0; i < size / sizeof(long); i++) {
            long any;
            ((long *)block)[i] = any;
        }
    } else {
        for (unsigned long i = 0; i < size; i++) {
            char any;
            ((char *)block)[i] = any;
        }
    }
}

/* The first `done` bytes, at most `size`, which is known better. */
void __obmc_fill_some(void *block, long size, long done)
{
    for (long i = 0; i < size && i < done; i++) {
        char any;
        ((char *)block)[i] = any;
    }
}

/* Of a stream something is read (stream.c). Whether what it holds is read or written is noted in
 * programs that open some. */
static void use(const void *stream, enum use how)
{
    if (__obmc_linked("fopen") + __obmc_linked("fdopen") + __obmc_linked("freopen")
        + __obmc_linked("tmpfile") + __obmc_linked("popen") + __obmc_linked("fclose")
        + __obmc_linked("fopen64")) {
        (void)*(const volatile char *)stream;
        if (how == WRITES)
            __obmc_stream_is_written(stream);
        if (how == READS)
            __obmc_stream_is_read(stream);
    }
}

void __obmc_use_stream(const void *stream)
{
    use(stream, LOOKS);
}

void __obmc_read_stream(const void *stream)
{
    use(stream, READS);
}

void __obmc_write_stream(const void *stream)
{
    use(stream, WRITES);
}

/* Streams without their lock: who must not meet is not followed, if there are threads at all. */
void __obmc_use_unlocked(void)
{
    if (__obmc_asked("races"))
        if (__obmc_linked("pthread_create") + __obmc_linked("thrd_create"))
            __obmc_unsupported("a stream without its lock in a program with threads");
}

/* A negative result comes with some errno. */
void __obmc_result(long result)
{
    if (__obmc_mentioned("__errno_location"))
        __obmc_remember_result(result);
}

/* What a call to the system returns: any number from `least` to `most`. */
long __obmc_between(long least, long most)
{
    long result;
    __VERIFIER_assume(least <= result && result <= most);
    __obmc_result(result);
    return result;
}
