/* What to do on a signal.
 *
 * Idea: signals from outside do not come; a program that gives a handler is told so (lower/signal.rs).
 * Handlers are remembered for `raise`, which calls them at once. They stand in an array that is read
 * and written by relaxed atomics. Blocked signals and handlers that want a siginfo are not modelled.
 */
int *__errno_location(void);
int __obmc_linked(const char *name);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_unsupported(const char *what);

enum { SIGNALS = 65, RELAXED = 0, E_INVAL = 22, KILL = 9, STOP = 19, SA_SIGINFO = 4,
       CHILD = 17, CONTINUE = 18, URGENT = 23, WINDOW = 28, FIRST_STOP = 19, LAST_STOP = 22 };

typedef void (*handler)(int);

/* As in <signal.h>. */
struct action {
    handler function;
    unsigned long mask[128 / sizeof(unsigned long)];
    int flags;
    void (*restorer)(void);
};

static handler handlers[SIGNALS];
static int has_info[SIGNALS];

static int is_catchable(int signal)
{
    return 1 <= signal && signal < SIGNALS && signal != KILL && signal != STOP && signal != 32
        && signal != 33;
}

handler signal(int signal, handler function)
{
    if (!is_catchable(signal)) {
        *__errno_location() = E_INVAL;
        return (handler)-1;
    }
    __atomic_store_n(&has_info[signal], 0, RELAXED);
    return __atomic_exchange_n(&handlers[signal], function, RELAXED);
}

handler __sysv_signal(int number, handler function)
{
    return signal(number, function);
}

handler bsd_signal(int number, handler function)
{
    return signal(number, function);
}

int sigaction(int signal, const struct action *new, struct action *old)
{
    handler before = 0;
    if (new)
        __obmc_read_block(new, sizeof(struct action));
    if (signal < 1 || signal >= SIGNALS || (new && !is_catchable(signal))) {
        *__errno_location() = E_INVAL;
        return -1;
    }
    __obmc_atomic_begin();
    before = __atomic_load_n(&handlers[signal], RELAXED);
    if (new) {
        __atomic_store_n(&handlers[signal], new->function, RELAXED);
        __atomic_store_n(&has_info[signal], new->flags & SA_SIGINFO, RELAXED);
    }
    __obmc_atomic_end();
    if (old) {
        __obmc_fill(old, sizeof(struct action));
        old->function = before;
    }
    return 0;
}

int siginterrupt(int signal, int flag)
{
    return 0;
}

int raise(int signal)
{
    if (signal < 0 || signal >= SIGNALS) {
        *__errno_location() = E_INVAL;
        return -1;
    }
    if (signal == 0)
        return 0;
    if (__obmc_linked("pthread_sigmask") + __obmc_linked("sigprocmask"))
        __obmc_unsupported("raise in a program that blocks signals");
    handler function = __atomic_load_n(&handlers[signal], RELAXED);
    if (function == (handler)1)
        return 0;
    if (!function) {
        if (signal == CHILD || signal == CONTINUE || signal == URGENT || signal == WINDOW)
            return 0;
        if (FIRST_STOP <= signal && signal <= LAST_STOP)
            __obmc_unsupported("a signal that stops the process");
        __obmc_abort();
    }
    if (__atomic_load_n(&has_info[signal], RELAXED))
        __obmc_unsupported("raise for a handler with a siginfo");
    function(signal);
    return 0;
}
