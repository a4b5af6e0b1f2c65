/* Waiting until a file is ready: any of those that were asked for, at any time. Who waits without a
 * limit is told of one at last.
 */
void __VERIFIER_assume(int condition);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);

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

int poll(struct pollfd *files, unsigned long count, int limit)
{
    int ready = 0;
    __obmc_cancellation_point();
    long fails = __obmc_between(-1, 0);
    for (unsigned long i = 0; i < count; i++) {
        short any;
        int told = any & (files[i].asked | ALWAYS_TOLD);
        if (files[i].file < 0)
            told = 0;
        if (!fails) {
            files[i].told = told;
            ready += told != 0;
        }
    }
    if (fails)
        return -1;
    if (limit < 0)
        __VERIFIER_assume(ready > 0);
    return ready;
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
