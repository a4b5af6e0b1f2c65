/* Ends of the process, and what belongs to processes. */
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_error(const char *what);
_Noreturn void __obmc_unsupported(const char *what);
unsigned long __obmc_self(void);
_Bool __VERIFIER_nondet_bool(void);

/* The first thread's number is that of the process. */
int gettid(void)
{
    return __obmc_self();
}

int getpid(void)
{
    return 1;
}

_Noreturn void _exit(int status)
{
    __obmc_abort();
}

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    __obmc_error("assert_perror");
}

char *setlocale(int category, const char *locale)
{
    static char name[2] = "C";
    return locale && *locale && !(*locale == 'C' && !locale[1]) ? 0 : name;
}

/* An environment in which the variable is not set. Text from outside, of any length, is not modelled. */
char *getenv(const char *name)
{
    while (*name)
        name++;
    if (__VERIFIER_nondet_bool())
        __obmc_unsupported("getenv of a variable that is set");
    return 0;
}
