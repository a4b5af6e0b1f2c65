/* Pipes, and counters by eventfd: files that lead from thread to thread.
 *
 * Idea: a channel is a ring of units or a number, and each of its files is an end of it. A read waits until
 * there is something, or nobody can write any more, and gets what is there, up to what it asks for. A
 * write of up to PIPE_BUF bytes is whole. Numbers of files are the lowest free ones from 3 on.
 * A unit is as wide as divides what is written into an empty pipe (as in copy.c), so pointers stay
 * pointers; who reads or writes in other pieces meanwhile is not modelled.
 *
 * Invariant: everything about channels changes in atomic blocks, by relaxed atomics. A write releases and a read
 * acquires: what was written in front of the write is there behind the read (lower/open.rs). `kind[f]` is 0
 * for files that are no channels. A channel is not used again.
 * No signal interrupts a call, since none comes. Not there: more than 64 units in a pipe, more than 8 channels, other calls than read, write, close,
 * poll, select, epoll and fcntl's flags.
 */
_Bool __VERIFIER_nondet_bool(void);
int *__errno_location(void);
int __obmc_linked(const char *name);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_lowest_file(void);
int raise(int signal);
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_unsupported(const char *what);

enum kind { NONE, READER, WRITER, COUNTER, SEMAPHORE };
enum { FILES = 64, CHANNELS = 8, ROOM = 64, MOST_AT_ONCE = 4096 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };
enum { E_BADF = 9, E_AGAIN = 11, E_INVAL = 22, E_PIPE = 32, SIG_PIPE = 13 };
enum { O_WRITE_ONLY = 1, O_READ_WRITE = 2, O_NONBLOCK = 04000, O_CLOEXEC = 02000000, SEMAPHORES = 1 };
enum { POLL_IN = 1, POLL_OUT = 4, POLL_ERR = 8, POLL_HUP = 16 };

static char kind[FILES];
static char channel_of[FILES];
static char nonblocking[FILES];
static int used;

static unsigned long units[CHANNELS][ROOM];
static unsigned first[CHANNELS];
static unsigned count[CHANNELS];
static unsigned width[CHANNELS];
static char has_reader[CHANNELS];
static char has_writer[CHANNELS];
static unsigned long long counted[CHANNELS];
static unsigned writes[CHANNELS];

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

static int kind_of(int file)
{
    return file < 0 || file >= FILES ? NONE : __atomic_load_n(&kind[file], RELAXED);
}

int __obmc_is_channel(int file)
{
    return kind_of(file) != NONE;
}

void __obmc_no_channel(int file)
{
    if (kind_of(file) != NONE)
        __obmc_unsupported("this call with a pipe or an eventfd");
}

static int new_channel(void)
{
    int channel = __atomic_load_n(&used, RELAXED);
    if (channel == CHANNELS)
        __obmc_unsupported("more than 8 pipes and eventfds");
    __atomic_store_n(&used, channel + 1, RELAXED);
    return channel;
}

static int new_end(int channel, int of, int flags)
{
    int file = __obmc_lowest_file();
    __atomic_store_n(&channel_of[file], channel, RELAXED);
    __atomic_store_n(&nonblocking[file], (flags & O_NONBLOCK) != 0, RELAXED);
    __atomic_store_n(&kind[file], of, RELAXED);
    return file;
}

int pipe2(int *ends, int flags)
{
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        __obmc_unsupported("pipe2 with these flags");
    if (__obmc_between(-1, 0))
        return -1;
    __obmc_atomic_begin();
    int channel = new_channel();
    __atomic_store_n(&has_reader[channel], 1, RELAXED);
    __atomic_store_n(&has_writer[channel], 1, RELAXED);
    int from = new_end(channel, READER, flags);
    int to = new_end(channel, WRITER, flags);
    __obmc_atomic_end();
    ends[0] = from;
    ends[1] = to;
    return 0;
}

int pipe(int *ends)
{
    return pipe2(ends, 0);
}

int eventfd(unsigned start, int flags)
{
    if (flags & ~(O_NONBLOCK | O_CLOEXEC | SEMAPHORES))
        return fail(E_INVAL);
    if (__obmc_between(-1, 0))
        return -1;
    __obmc_atomic_begin();
    int channel = new_channel();
    __atomic_store_n(&counted[channel], start, RELAXED);
    int file = new_end(channel, flags & SEMAPHORES ? SEMAPHORE : COUNTER, flags);
    __obmc_atomic_end();
    return file;
}

/* A cancelled thread would leave its wait. */
void __obmc_wait_for_channels(void)
{
    if (__obmc_linked("pthread_cancel"))
        __obmc_unsupported("a wait for a pipe or an eventfd in a program that cancels threads");
}

static int in_pipe(int channel)
{
    return __atomic_load_n(&count[channel], RELAXED);
}

static void get_unit(void *block, unsigned long at, unsigned wide, unsigned long unit)
{
    if (wide == sizeof(long))
        ((unsigned long *)block)[at] = unit;
    else if (wide == sizeof(int))
        ((unsigned *)block)[at] = unit;
    else
        ((unsigned char *)block)[at] = unit;
}

static unsigned long unit_of(const void *block, unsigned long at, unsigned wide)
{
    if (wide == sizeof(long))
        return ((const unsigned long *)block)[at];
    if (wide == sizeof(int))
        return ((const unsigned *)block)[at];
    return ((const unsigned char *)block)[at];
}

static void other_pieces(void)
{
    __obmc_unsupported("a pipe that is written and read in pieces of different sizes");
}

/* In the atomic block of the caller. */
static long take(int channel, void *block, unsigned long size)
{
    unsigned there = in_pipe(channel);
    unsigned wide = __atomic_load_n(&width[channel], RELAXED);
    unsigned from = __atomic_load_n(&first[channel], RELAXED);
    if (!there)
        return 0;
    if (size % wide && size < (unsigned long)there * wide)
        other_pieces();
    unsigned n = size / wide < there ? size / wide : there;
    for (unsigned i = 0; i < n; i++)
        get_unit(block, i, wide, __atomic_load_n(&units[channel][(from + i) % ROOM], RELAXED));
    __atomic_store_n(&first[channel], (from + n) % ROOM, RELAXED);
    __atomic_store_n(&count[channel], there - n, RELAXED);
    return (long)n * wide;
}

static long read_pipe(int file, int channel, void *block, unsigned long size)
{
    int nobody = 0;
    long done = 0;
    __obmc_wait_for_channels();
    __obmc_atomic_begin();
    if (__atomic_load_n(&nonblocking[file], RELAXED))
        nobody = !in_pipe(channel) && __atomic_load_n(&has_writer[channel], RELAXED);
    else
        __obmc_wait(in_pipe(channel) || !__atomic_load_n(&has_writer[channel], RELAXED));
    __atomic_load_n(&writes[channel], ACQUIRE);
    if (!nobody)
        done = take(channel, block, size);
    __obmc_atomic_end();
    return nobody ? fail(E_AGAIN) : done;
}

static long read_counter(int file, int channel, void *block, unsigned long size)
{
    if (size < sizeof(long long))
        return fail(E_INVAL);
    __obmc_wait_for_channels();
    __obmc_atomic_begin();
    if (!__atomic_load_n(&nonblocking[file], RELAXED))
        __obmc_wait(__atomic_load_n(&counted[channel], RELAXED) != 0);
    __atomic_load_n(&writes[channel], ACQUIRE);
    unsigned long long all = __atomic_load_n(&counted[channel], RELAXED);
    unsigned long long taken = all && kind_of(file) == SEMAPHORE ? 1 : all;
    __atomic_store_n(&counted[channel], all - taken, RELAXED);
    __obmc_atomic_end();
    if (!taken)
        return fail(E_AGAIN);
    *(unsigned long long *)block = taken;
    return sizeof(long long);
}

long __obmc_read_channel(int file, void *block, unsigned long size)
{
    int channel = __atomic_load_n(&channel_of[file], RELAXED);
    if (kind_of(file) == WRITER)
        return fail(E_BADF);
    if (kind_of(file) != READER)
        return read_counter(file, channel, block, size);
    return size ? read_pipe(file, channel, block, size) : 0;
}

/* In the atomic block of the caller. */
static void put(int channel, const void *block, unsigned long size)
{
    unsigned there = in_pipe(channel);
    unsigned wide = __atomic_load_n(&width[channel], RELAXED);
    unsigned from = __atomic_load_n(&first[channel], RELAXED);
    if (!there) {
        wide = size % sizeof(long) == 0 ? sizeof(long) : size % sizeof(int) == 0 ? sizeof(int) : 1;
        __atomic_store_n(&width[channel], wide, RELAXED);
    }
    if (size % wide)
        other_pieces();
    if (there + size / wide > ROOM)
        __obmc_unsupported("much in a pipe that nobody reads");
    for (unsigned i = 0; i < size / wide; i++)
        __atomic_store_n(&units[channel][(from + there + i) % ROOM], unit_of(block, i, wide), RELAXED);
    __atomic_store_n(&count[channel], there + size / wide, RELAXED);
    __atomic_fetch_add(&writes[channel], 1, RELEASE);
}

static long broken(void)
{
    if (__obmc_linked("signal") + __obmc_linked("sigaction") + __obmc_linked("pthread_sigmask")
        + __obmc_linked("sigprocmask"))
        raise(SIG_PIPE);
    else
        __obmc_abort();
    return fail(E_PIPE);
}

/* Who does not want to wait may be told that the pipe is full, whatever else is in it. */
static long write_pipe(int file, int channel, const void *block, unsigned long size)
{
    if (!size)
        return 0;
    if (size > MOST_AT_ONCE)
        __obmc_unsupported("more than PIPE_BUF bytes into a pipe at once");
    if (__atomic_load_n(&nonblocking[file], RELAXED) && __VERIFIER_nondet_bool())
        return fail(E_AGAIN);
    __obmc_atomic_begin();
    int read = __atomic_load_n(&has_reader[channel], RELAXED);
    if (read)
        put(channel, block, size);
    __obmc_atomic_end();
    return read ? (long)size : broken();
}

static long write_counter(int file, int channel, const void *block, unsigned long size)
{
    if (size < sizeof(long long))
        return fail(E_INVAL);
    unsigned long long more = *(const unsigned long long *)block;
    if (more == -1ull)
        return fail(E_INVAL);
    __obmc_atomic_begin();
    if (!__atomic_load_n(&nonblocking[file], RELAXED))
        __obmc_wait(__atomic_load_n(&counted[channel], RELAXED) <= -2ull - more);
    unsigned long long all = __atomic_load_n(&counted[channel], RELAXED);
    int fits = all <= -2ull - more;
    if (fits) {
        __atomic_store_n(&counted[channel], all + more, RELAXED);
        __atomic_fetch_add(&writes[channel], 1, RELEASE);
    }
    __obmc_atomic_end();
    return fits ? (long)sizeof(long long) : fail(E_AGAIN);
}

long __obmc_write_channel(int file, const void *block, unsigned long size)
{
    int channel = __atomic_load_n(&channel_of[file], RELAXED);
    if (kind_of(file) == READER)
        return fail(E_BADF);
    if (kind_of(file) != WRITER)
        return write_counter(file, channel, block, size);
    return write_pipe(file, channel, block, size);
}

int eventfd_read(int file, unsigned long long *to)
{
    return __obmc_read_channel(file, to, sizeof *to) < 0 ? -1 : 0;
}

int eventfd_write(int file, unsigned long long more)
{
    return __obmc_write_channel(file, &more, sizeof more) < 0 ? -1 : 0;
}

/* In the atomic block of the caller. */
void __obmc_close_channel(int file)
{
    int channel = __atomic_load_n(&channel_of[file], RELAXED);
    if (kind_of(file) == READER)
        __atomic_store_n(&has_reader[channel], 0, RELAXED);
    if (kind_of(file) == WRITER) {
        __atomic_store_n(&has_writer[channel], 0, RELAXED);
        __atomic_fetch_add(&writes[channel], 1, RELEASE);
    }
    __atomic_store_n(&kind[file], NONE, RELAXED);
}

/* What poll would tell of the file, in the atomic block of the caller. */
int __obmc_channel_is_ready(int file)
{
    int of = kind_of(file);
    int channel = __atomic_load_n(&channel_of[file], RELAXED);
    __atomic_load_n(&writes[channel], ACQUIRE);
    if (of == READER)
        return (in_pipe(channel) ? POLL_IN : 0)
            | (__atomic_load_n(&has_writer[channel], RELAXED) ? 0 : POLL_HUP);
    if (of == WRITER)
        return __atomic_load_n(&has_reader[channel], RELAXED) ? POLL_OUT : POLL_OUT | POLL_ERR;
    unsigned long long all = __atomic_load_n(&counted[channel], RELAXED);
    return (all ? POLL_IN : 0) | (all < -2ull ? POLL_OUT : 0);
}

int __obmc_channel_flags(int file)
{
    int of = kind_of(file);
    int access = of == READER ? 0 : of == WRITER ? O_WRITE_ONLY : O_READ_WRITE;
    return access | (__atomic_load_n(&nonblocking[file], RELAXED) ? O_NONBLOCK : 0);
}

void __obmc_set_channel_flags(int file, int flags)
{
    __atomic_store_n(&nonblocking[file], (flags & O_NONBLOCK) != 0, RELAXED);
}
