/* Ends of the process, and what belongs to processes. */
_Noreturn void __obmc_exit(void);
_Noreturn void __obmc_error(const char *what);
unsigned long __obmc_self(void);

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
    __obmc_exit();
}

_Noreturn void quick_exit(int status)
{
    __obmc_exit();
}

_Noreturn void err(int status, const char *format, ...)
{
    __obmc_exit();
}

_Noreturn void errx(int status, const char *format, ...)
{
    __obmc_exit();
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
