/* Ends of the process, and what belongs to processes. Calls by name of exit, abort and _Exit, and of the
 * functions of verifiers, do not come here (lower/builtin.rs): these are for calls through pointers.
 */
int __obmc_linked(const char *name);
_Noreturn void __obmc_exit(void);
_Noreturn void __obmc_abort(void);
void __obmc_destructors(void);
void __obmc_run_abort_handler(void);
void __CPROVER_assume(int condition);
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

_Noreturn void exit(int status)
{
    __obmc_destructors();
    __obmc_exit();
}

_Noreturn void abort(void)
{
    if (__obmc_linked("signal") | __obmc_linked("sigaction") | __obmc_linked("bsd_signal")
        | __obmc_linked("__sysv_signal"))
        __obmc_run_abort_handler();
    __obmc_abort();
}

_Noreturn void _Exit(int status)
{
    __obmc_abort();
}

_Noreturn void _exit(int status)
{
    __obmc_abort();
}

_Noreturn void reach_error(void)
{
    __obmc_error("reach_error() is called");
}

_Noreturn void __VERIFIER_error(void)
{
    __obmc_error("__VERIFIER_error() is called");
}

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __obmc_error("__VERIFIER_assert fails");
}

void __VERIFIER_assume(int condition)
{
    __CPROVER_assume(condition);
}

_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    __obmc_error("assertion fails");
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
