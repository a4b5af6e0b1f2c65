/* Sets of signals, as bits in words. What is no signal is EINVAL. */
int *__errno_location(void);

enum { SIZE = 128, WORDS = SIZE / sizeof(unsigned long), E_INVAL = 22 };

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
