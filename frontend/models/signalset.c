/* Sets of signals, as bits in words. Signals themselves do not come, so which ones a thread lets
 * through changes nothing; the mask before is not known.
 */
_Noreturn void __obmc_unsupported(const char *what);

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
    return 1 <= signal && signal <= 64;
}

int sigemptyset(unsigned long *set)
{
    for (int i = 0; i <= word_of(64); i++)
        set[i] = 0;
    return 0;
}

int sigfillset(unsigned long *set)
{
    for (int i = 0; i <= word_of(64); i++)
        set[i] = -1UL;
    return 0;
}

int sigaddset(unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return -1;
    set[word_of(signal)] |= bit_of(signal);
    return 0;
}

int sigdelset(unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return -1;
    set[word_of(signal)] &= ~bit_of(signal);
    return 0;
}

int sigismember(const unsigned long *set, int signal)
{
    if (!is_signal(signal))
        return -1;
    return (set[word_of(signal)] & bit_of(signal)) != 0;
}

int pthread_sigmask(int how, const unsigned long *set, unsigned long *before)
{
    if (before)
        __obmc_unsupported("the mask of signals before");
    if (set)
        (void)*(volatile const unsigned long *)set;
    return 0;
}

int sigprocmask(int how, const unsigned long *set, unsigned long *before)
{
    return pthread_sigmask(how, set, before);
}
