/* Output other than by formats. Nothing of the program's state changes and no property looks at what
 * is printed. What is printed is read, though, which may be a race or a bad access: strings up to
 * their end and blocks as a whole.
 *
 * Idea: a result is what the manual says, or EOF with some errno: an uninitialised local and not an
 * input, so an engine has to choose only if the program looks.
 */
void __VERIFIER_assume(int condition);
void __obmc_result(long result);
void __obmc_may_cancel(void);
void __obmc_write_stream(const void *stream);
void __obmc_use_unlocked(void);
void __obmc_read_string(const char *s, long limit);

enum { END_OF_FILE = -1 };

static int or_error(int wanted)
{
    int result;
    __VERIFIER_assume(result == wanted || result == END_OF_FILE);
    __obmc_result(result);
    return result;
}

int puts(const char *s)
{
    int result;
    __obmc_read_string(s, -1);
    __obmc_may_cancel();
    __VERIFIER_assume(result >= END_OF_FILE);
    __obmc_result(result);
    return result;
}

int fputs(const char *s, void *stream)
{
    __obmc_write_stream(stream);
    return puts(s);
}

int fputs_unlocked(const char *s, void *stream)
{
    __obmc_use_unlocked();
    return fputs(s, stream);
}

int putchar(int c)
{
    __obmc_may_cancel();
    return or_error((unsigned char)c);
}

int putc(int c, void *stream)
{
    __obmc_write_stream(stream);
    return putchar(c);
}

int _IO_putc(int c, void *stream)
{
    return putc(c, stream);
}

int fputc(int c, void *stream)
{
    return putc(c, stream);
}

int putchar_unlocked(int c)
{
    __obmc_use_unlocked();
    return putchar(c);
}

int putc_unlocked(int c, void *stream)
{
    __obmc_use_unlocked();
    return putc(c, stream);
}

int fputc_unlocked(int c, void *stream)
{
    __obmc_use_unlocked();
    return putc(c, stream);
}

int putw(int w, void *stream)
{
    __obmc_write_stream(stream);
    __obmc_may_cancel();
    return or_error(0);
}

unsigned long fwrite(const void *block, unsigned long size, unsigned long count, void *stream)
{
    unsigned long done;
    const char *bytes = block;
    __obmc_write_stream(stream);
    for (unsigned long i = 0; i < size * count; i++) {
        char byte = bytes[i];
    }
    __obmc_may_cancel();
    if (!size)
        return 0;
    __VERIFIER_assume(done <= count);
    __obmc_result(done < count ? -1 : 0);
    return done;
}

unsigned long fwrite_unlocked(const void *block, unsigned long size, unsigned long count,
                              void *stream)
{
    __obmc_use_unlocked();
    return fwrite(block, size, count, stream);
}

void perror(const char *s)
{
    if (s)
        __obmc_read_string(s, -1);
    __obmc_may_cancel();
}

void psignal(int signal, const char *s)
{
    perror(s);
}
