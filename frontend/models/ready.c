/* Waiting until a file is ready: any of those that were asked for, at any time. Who waits without a
 * limit is told of one at last. Pipes and the like are ready when they are (channel.c): who waits for
 * them only may wait for ever.
 */
void __VERIFIER_assume(int condition);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);
int __obmc_linked(const char *name);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_is_channel(int file);
void __obmc_wait_for_channels(void);
int __obmc_channel_is_ready(int file);
_Noreturn void __obmc_unsupported(const char *what);

enum { ALWAYS_TOLD = 8 | 16 | 32, WORD = 8 * sizeof(long), MILLION = 1000000 };

struct pollfd {
    int file;
    short asked;
    short told;
};

struct time {
    long seconds;
    long fraction;
};

static int channels(void)
{
    return __obmc_linked("pipe") + __obmc_linked("pipe2") + __obmc_linked("eventfd");
}

/* What can be told of a file: of one that is no channel (channel.c) anything. */
int __obmc_what_is_ready(int file)
{
    short any;
    if (channels())
        if (__obmc_is_channel(file))
            return __obmc_channel_is_ready(file);
    return any;
}

static int ask(struct pollfd *file)
{
    int told = __obmc_what_is_ready(file->file) & (file->asked | ALWAYS_TOLD);
    return file->file < 0 ? 0 : told;
}

/* In one step: who waits does so until one is ready. */
static int look(struct pollfd *files, unsigned long count, int waits)
{
    int ready = 0;
    if (channels())
        __obmc_wait_for_channels();
    __obmc_atomic_begin();
    for (unsigned long i = 0; i < count; i++) {
        int told = ask(&files[i]);
        files[i].told = told;
        ready += told != 0;
    }
    if (waits)
        __obmc_wait(ready > 0);
    __obmc_atomic_end();
    return ready;
}

int poll(struct pollfd *files, unsigned long count, int limit)
{
    __obmc_cancellation_point();
    if (!__obmc_between(-1, 0))
        return look(files, count, limit < 0);
    for (unsigned long i = 0; i < count; i++)
        (void)((volatile struct pollfd *)files)[i].asked;
    return -1;
}

/* The words of a set that hold the first `count` files; gives how many of them are ready. */
static int choose(long *set, int count, long fails)
{
    int ready = 0;
    for (int first = 0; set && first < count; first += WORD) {
        long any;
        long word = set[first / WORD];
        long rest = count - first;
        unsigned long asked = rest < WORD ? (1ul << rest) - 1 : -1ul;
        if (!fails) {
            set[first / WORD] = word & any;
            ready += __builtin_popcountl(word & any & asked);
        }
    }
    return ready;
}

int select(int count, long *read, long *write, long *except, struct time *limit)
{
    if (channels())
        __obmc_unsupported("select in a program with pipes or eventfds");
    __obmc_cancellation_point();
    long fails = __obmc_between(-1, 0);
    int ready = choose(read, count, fails) + choose(write, count, fails)
                + choose(except, count, fails);
    if (limit) {
        struct time left, most = *limit;
        __VERIFIER_assume(left.seconds >= 0 && left.seconds <= most.seconds);
        __VERIFIER_assume(left.fraction >= 0 && left.fraction < MILLION);
        if (!fails)
            *limit = left;
    } else if (!fails) {
        __VERIFIER_assume(ready > 0);
    }
    return fails ? -1 : ready;
}
