/* Streams.
 *
 * Idea: an open stream is a block of the heap, which fclose frees. So a use after fclose, of null, or
 * of two closings at once is an invalid access or a race, as it is in the library. No program looks into
 * a stream: each use reads its first byte, in programs that open or close some. The three standard
 * streams are no blocks, and closing one leaves it as it is.
 *
 * Invariant: `kept` points to all open streams, so one that the program forgets is no lost memory
 * (the library has not lost it either). It is written by relaxed atomics: opening orders nothing.
 * What a stream contains is any bytes (input.c); where the program has written to one itself, no
 * violation behind that is told. At most 16 are open at a time. Where in it a stream
 * is, and whether at its end, is not remembered: who asks gets anything, and no violation behind that
 * is told.
 */
void __VERIFIER_assume(int condition);
void __obmc_result(long result);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void *__obmc_alloc(unsigned long size, int zeroed);
void __obmc_free(void *block);
_Noreturn void __obmc_unsupported(const char *what);
void __obmc_may_cancel(void);
int __obmc_linked(const char *name);
void __obmc_no_channel(int file);
void __obmc_use_stream(const void *stream);
void __obmc_roughly(const char *what);
void __obmc_read_string(const char *s, long limit);

enum { STREAMS = 16, SIZE = 216, RELAXED = 0, END_OF_FILE = -1 };

extern char __obmc_stdin;
extern char __obmc_stdout;
extern char __obmc_stderr;

static char *kept[STREAMS];
static char was_written;

static int any_int(void)
{
    int result;
    return result;
}

/* 0, or -1 with some errno. */
static int success(void)
{
    int result;
    __VERIFIER_assume(result == 0 || result == -1);
    __obmc_result(result);
    return result;
}

/* Puts `to` where `from` is. */
static void keep(char *from, char *to)
{
    int at = 0;
    __obmc_atomic_begin();
    while (at < STREAMS && __atomic_load_n(&kept[at], RELAXED) != from)
        at++;
    if (at == STREAMS)
        __obmc_unsupported("more than 16 open streams");
    __atomic_store_n(&kept[at], to, RELAXED);
    __obmc_atomic_end();
}

static void *open(void)
{
    _Bool failed;
    __obmc_may_cancel();
    char *stream = failed ? 0 : __obmc_alloc(SIZE, 0);
    if (!stream) {
        __obmc_result(-1);
        return 0;
    }
    keep(0, stream);
    return stream;
}

static int is_standard(const char *stream)
{
    return stream == &__obmc_stdin || stream == &__obmc_stdout || stream == &__obmc_stderr;
}

void __obmc_stream_is_written(const char *stream)
{
    if (!is_standard(stream))
        __atomic_store_n(&was_written, 1, RELAXED);
}

void __obmc_stream_is_read(const char *stream)
{
    if (!is_standard(stream) && __atomic_load_n(&was_written, RELAXED))
        __obmc_roughly("what a stream holds where the program has written to one");
}

static void end(char *stream)
{
    __obmc_use_stream(stream);
    if (!is_standard(stream)) {
        keep(stream, 0);
        __obmc_free(stream);
    }
}

void *fopen(const char *path, const char *mode)
{
    __obmc_read_string(path, -1);
    __obmc_read_string(mode, -1);
    return open();
}

void *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

void *fdopen(int file, const char *mode)
{
    if (__obmc_linked("pipe") + __obmc_linked("pipe2") + __obmc_linked("eventfd"))
        __obmc_no_channel(file);
    __obmc_read_string(mode, -1);
    return open();
}

void *popen(const char *command, const char *mode)
{
    __obmc_read_string(command, -1);
    __obmc_read_string(mode, -1);
    return open();
}

void *tmpfile(void)
{
    return open();
}

/* The same stream, or null, and then it is closed. */
void *freopen(const char *path, const char *mode, void *stream)
{
    _Bool failed;
    if (path)
        __obmc_read_string(path, -1);
    __obmc_read_string(mode, -1);
    __obmc_use_stream(stream);
    __obmc_may_cancel();
    if (!failed)
        return stream;
    end(stream);
    __obmc_result(-1);
    return 0;
}

int fclose(void *stream)
{
    __obmc_may_cancel();
    end(stream);
    return success();
}

int pclose(void *stream)
{
    __obmc_may_cancel();
    end(stream);
    int status = any_int();
    __VERIFIER_assume(status >= -1);
    return status;
}

int feof(void *stream)
{
    __obmc_use_stream(stream);
    __obmc_roughly("`feof` returns anything");
    return any_int();
}

int ferror(void *stream)
{
    __obmc_use_stream(stream);
    __obmc_roughly("`ferror` returns anything");
    return any_int();
}

void clearerr(void *stream)
{
    __obmc_use_stream(stream);
}

int fileno(void *stream)
{
    int file;
    __obmc_use_stream(stream);
    __VERIFIER_assume(file >= -1);
    if (stream == &__obmc_stdin)
        return 0;
    if (stream == &__obmc_stdout)
        return 1;
    if (stream == &__obmc_stderr)
        return 2;
    __obmc_roughly("`fileno` returns any number");
    __obmc_result(file);
    return file;
}

int fseek(void *stream, long offset, int whence)
{
    __obmc_use_stream(stream);
    __obmc_may_cancel();
    return success();
}

int fseeko(void *stream, long offset, int whence)
{
    return fseek(stream, offset, whence);
}

long ftell(void *stream)
{
    long place;
    __obmc_use_stream(stream);
    __obmc_may_cancel();
    __VERIFIER_assume(place >= -1);
    __obmc_roughly("`ftell` returns any place");
    __obmc_result(place);
    return place;
}

long ftello(void *stream)
{
    return ftell(stream);
}

void rewind(void *stream)
{
    __obmc_use_stream(stream);
    __obmc_may_cancel();
}

int fflush(void *stream)
{
    if (stream)
        __obmc_use_stream(stream);
    __obmc_may_cancel();
    return success();
}

void setbuf(void *stream, char *buffer)
{
    if (buffer)
        __obmc_unsupported("a buffer of the program's own for a stream");
    __obmc_use_stream(stream);
}

void setlinebuf(void *stream)
{
    __obmc_use_stream(stream);
}

int setvbuf(void *stream, char *buffer, int mode, unsigned long size)
{
    if (buffer)
        __obmc_unsupported("a buffer of the program's own for a stream");
    __obmc_use_stream(stream);
    return success();
}
