/* Input: any bytes, or none. */
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __obmc_read_stream(const void *stream);
void __obmc_use_unlocked(void);
void __obmc_may_cancel(void);
void __VERIFIER_assume(int condition);
void __obmc_fill_some(void *block, long size, long done);
void __obmc_result(long result);

enum { END_OF_FILE = -1 };

int getchar(void)
{
    __obmc_may_cancel();
    return __VERIFIER_nondet_bool() ? __VERIFIER_nondet_uchar() : END_OF_FILE;
}

int getc(void *stream)
{
    __obmc_read_stream(stream);
    return getchar();
}

int fgetc(void *stream)
{
    return getc(stream);
}

int _IO_getc(void *stream)
{
    return getc(stream);
}

int getchar_unlocked(void)
{
    __obmc_use_unlocked();
    return getchar();
}

int getc_unlocked(void *stream)
{
    __obmc_use_unlocked();
    return getc(stream);
}

int fgetc_unlocked(void *stream)
{
    __obmc_use_unlocked();
    return getc(stream);
}

char *fgets(char *line, int size, void *stream)
{
    int length = 0;
    int byte = 0;
    __obmc_read_stream(stream);
    while (length < size - 1 && byte != '\n') {
        byte = getchar();
        if (byte == END_OF_FILE)
            break;
        line[length++] = byte;
    }
    if (size < 1 || (length == 0 && byte == END_OF_FILE))
        return 0;
    line[length] = 0;
    return line;
}

unsigned long fread(void *block, unsigned long size, unsigned long count, void *stream)
{
    long whole, part;
    __obmc_read_stream(stream);
    __obmc_may_cancel();
    if (!size || !count)
        return 0;
    __VERIFIER_assume(whole >= 0 && whole <= count);
    __VERIFIER_assume(part >= 0 && part < size && (part == 0 || whole < count));
    __obmc_fill_some(block, size * count, whole * size + part);
    __obmc_result(whole < count ? -1 : 0);
    return whole;
}

char *__fgets_chk(char *line, unsigned long room, int size, void *stream)
{
    return fgets(line, size, stream);
}
