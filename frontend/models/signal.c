/* What to do on a signal.
 *
 * Idea: signals from outside do not come; a program that gives a handler is told so (lower/signal.rs).
 * Handlers are remembered for `raise`, which calls them at once. They stand in an array that is read
 * and written by relaxed atomics. `abort` calls the one of its signal, too (lower/signal.rs). While
 * a handler runs, its signal and those of its mask are blocked in this thread: one of them that is
 * raised then would wait, which is not modelled, and neither are other blocked signals and handlers
 * that want a siginfo.
 */
int *__errno_location(void);
int __obmc_linked(const char *name);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_unsupported(const char *what);

enum { SA_SIGINFO = 4, SA_NODEFER = 1 << 30, SA_RESETHAND = -2147483647 - 1 };
enum { SIGNALS = 65, RELAXED = 0, E_INVAL = 22, ABORT = 6, KILL = 9, STOP = 19,
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
/* As sigaction was told them. */
static int flags[SIGNALS];
static unsigned long long masks[SIGNALS];
/* Of this thread, while handlers run: bit n - 1 is signal n. */
static __thread unsigned long long blocked;

static unsigned long long bit_of(int signal)
{
    return 1ull << (signal - 1);
}

/* Signals 1 to 64. */
static unsigned long long first_bits(const unsigned long *mask)
{
    return sizeof(long) == 8 ? mask[0] : mask[0] | (unsigned long long)mask[1] << 16 << 16;
}

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
    __atomic_store_n(&flags[signal], 0, RELAXED);
    if (__obmc_linked("sigaction"))
        __atomic_store_n(&masks[signal], 0, RELAXED);
    return __atomic_exchange_n(&handlers[signal], function, RELAXED);
}

handler __sysv_signal(int number, handler function)
{
    handler before = signal(number, function);
    if (before != (handler)-1)
        __atomic_store_n(&flags[number], SA_NODEFER | SA_RESETHAND, RELAXED);
    return before;
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
        __atomic_store_n(&flags[signal], new->flags, RELAXED);
        __atomic_store_n(&masks[signal], first_bits(new->mask), RELAXED);
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

/* A longjmp out of the handler leaves its signals blocked, as without a saved mask. */
static void call_handler(handler function, int signal)
{
    int how = __atomic_load_n(&flags[signal], RELAXED);
    if (how & SA_SIGINFO)
        __obmc_unsupported("a handler with a siginfo");
    if (how & SA_RESETHAND)
        __atomic_store_n(&handlers[signal], (handler)0, RELAXED);
    unsigned long long before = blocked;
    if (!(how & SA_NODEFER))
        blocked |= bit_of(signal);
    if (__obmc_linked("sigaction"))
        blocked |= __atomic_load_n(&masks[signal], RELAXED);
    function(signal);
    blocked = before;
}

/* What abort does before it ends the process, whatever the handler does: it lets its signal through. */
void __obmc_run_abort_handler(void)
{
    handler function = __atomic_load_n(&handlers[ABORT], RELAXED);
    if (function && function != (handler)1)
        call_handler(function, ABORT);
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
    if (blocked & bit_of(signal))
        __obmc_unsupported("a signal that is raised while its handler runs");
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
    call_handler(function, signal);
    return 0;
}
