/* Sets of signals, as bits in words. Signals interrupt no thread, so which ones a thread lets
 * through changes nothing but what the thread is told. What is no signal is EINVAL. A thread that
 * waits for signals gets any of them at any time, as if from another process.
 */
int *__errno_location(void);
void __VERIFIER_assume(int condition);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);

enum { SIZE = 128, WORDS = SIZE / sizeof(unsigned long), HOW_LAST = 2, E_INVAL = 22 };
enum { BLOCK = 0, UNBLOCK = 1 };

/* All but SIGKILL, SIGSTOP and the two that the library keeps for itself. */
static const unsigned long long BLOCKABLE = ~(1ull << 8 | 1ull << 18 | 3ull << 31);

static int word_of(int signal)
{
    return (signal - 1) / (8 * (int)sizeof(unsigned long));
}

static unsigned long bit_of(int signal)
{
    return 1UL << (signal - 1) % (8 * (int)sizeof(unsigned long));
}

static int is_signal(int signal)
{
    return 1 <= signal && signal <= 64 && signal != 32 && signal != 33;
}

static int invalid(void)
{
    *__errno_location() = E_INVAL;
    return -1;
}

int sigemptyset(unsigned long *set)
{
    for (int i = 0; i < WORDS; i++)
        set[i] = 0;
    return 0;
}

/* All but the two that the library keeps for itself. */
int sigfillset(unsigned long *set)
{
    for (int i = 0; i < WORDS; i++)
        set[i] = -1UL;
    set[word_of(32)] &= ~bit_of(32);
    set[word_of(33)] &= ~bit_of(33);
    return 0;
}

int sigaddset(unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return invalid();
    set[word_of(signal)] |= bit_of(signal);
    return 0;
}

int sigdelset(unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return invalid();
    set[word_of(signal)] &= ~bit_of(signal);
    return 0;
}

int sigismember(const unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return invalid();
    return (set[word_of(signal)] & bit_of(signal)) != 0;
}

/* A thread's first mask is anything. */
int pthread_sigmask(int how, const unsigned long *set, unsigned long *before)
{
    static __thread unsigned long long mask;
    static __thread int known;
    unsigned long long wanted = 0, last;
    if (set) {
        __obmc_read_block(set, SIZE);
        if (how < 0 || how > HOW_LAST)
            return E_INVAL;
        wanted = *(const unsigned long long *)set;
    }
    if (known)
        last = mask;
    if (before) {
        __obmc_fill(before, SIZE);
        *(unsigned long long *)before = last;
    }
    mask = last;
    if (set)
        mask = (how == BLOCK ? last | wanted : how == UNBLOCK ? last & ~wanted : wanted) & BLOCKABLE;
    known = 1;
    return 0;
}

int sigprocmask(int how, const unsigned long *set, unsigned long *before)
{
    return pthread_sigmask(how, set, before) ? invalid() : 0;
}

/* Who waits for no signal waits for ever. */
int sigwait(const unsigned long *set, int *to)
{
    __obmc_cancellation_point();
    __obmc_read_block(set, SIZE);
    int empty = *(const unsigned long long *)set == 0;
    __obmc_atomic_begin();
    __obmc_wait(!empty);
    __obmc_atomic_end();
    int signal = (int)__obmc_between(1, 64);
    __VERIFIER_assume((set[word_of(signal)] & bit_of(signal)) != 0);
    *to = signal;
    return 0;
}
