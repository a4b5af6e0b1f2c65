/* What to do on a signal.
 *
 * Idea: what the program wants done stands in arrays that are read and written by relaxed atomics.
 * A signal that is taken (sent.c says when) is done in the thread that takes it, as a call. `abort`
 * calls the handler of its signal, too (lower/signal.rs). While a handler runs, its signal and those of
 * its mask are blocked in this thread, and the mask of before comes back with its return.
 *
 * Where a handler is left by a longjmp it depends on setjmp whether they stay blocked. That is not
 * followed: `held` remembers them in programs that can jump, and what looks at one then is not modelled.
 */
int *__errno_location(void);
int __obmc_linked(const char *name);
int __obmc_mentioned(const char *name);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_unsupported(const char *what);
unsigned long long __obmc_signal_mask(void);
void __obmc_set_signal_mask(unsigned long long mask);
void __obmc_forget_signal(int signal);
int __obmc_fate_of_signal(int signal);

enum { SA_SIGINFO = 4, SA_NODEFER = 1 << 30, SA_RESETHAND = -2147483647 - 1 };
enum { SIGNALS = 65, RELAXED = 0, E_INVAL = 22, ABORT = 6, KILL = 9, STOP = 19,
       CHILD = 17, CONTINUE = 18, URGENT = 23, WINDOW = 28, FIRST_STOP = 19, LAST_STOP = 22 };

/* As in sent.c. */
enum fate { IGNORED, HANDLED, ENDS, STOPS };

typedef void (*handler)(int);

/* As in <signal.h>. */
struct action {
    handler function;
    unsigned long mask[128 / sizeof(unsigned long)];
    int flags;
    void (*restorer)(void);
};

/* As in <signal.h>, as far as it is not anything. */
struct info {
    int signal;
    int error;
    int code;
    int rest[29];
};

static handler handlers[SIGNALS];
/* As sigaction was told them. */
static int flags[SIGNALS];
static unsigned long long masks[SIGNALS];
/* Of this thread, while handlers run: bit n - 1 is signal n. */
static __thread unsigned long long held;

static unsigned long long bit_of(int signal)
{
    return 1ull << (signal - 1);
}

/* Signals 1 to 64. No words: what lies beside the mask are addresses, and these are none. */
static unsigned long long first_bits(const unsigned long *mask)
{
    const unsigned *half = (const unsigned *)mask;
    return half[0] | (unsigned long long)half[1] << 32;
}

static int is_catchable(int signal)
{
    return 1 <= signal && signal < SIGNALS && signal != KILL && signal != STOP && signal != 32
        && signal != 33;
}

/* Does the program send itself signals that can wait? */
static int some_wait(void)
{
    return (__obmc_linked("kill") | __obmc_linked("pthread_kill") | __obmc_linked("raise"))
        & (__obmc_linked("pthread_sigmask") | __obmc_linked("sigprocmask")
           | __obmc_linked("sigaction"));
}

static void changed(int signal)
{
    if (some_wait())
        if (__obmc_fate_of_signal(signal) == IGNORED)
            __obmc_forget_signal(signal);
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
    handler before = __atomic_exchange_n(&handlers[signal], function, RELAXED);
    changed(signal);
    return before;
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
    if (new)
        changed(signal);
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

static int jumps(void)
{
    return __obmc_linked("longjmp") + __obmc_linked("_longjmp") + __obmc_linked("siglongjmp")
        + __obmc_linked("__longjmp_chk");
}

/* Is it clear which signals are blocked? */
void __obmc_mask_is_clear(unsigned long long looked_at)
{
    if (jumps())
        if (held & looked_at)
            __obmc_unsupported("the mask of signals where a handler may have been left by longjmp");
}

/* Of what is told about the signal only its number is known, and that somebody sent it. */
static void call_with_info(handler function, int signal)
{
    if (!__obmc_mentioned("sa_sigaction"))
        __obmc_unsupported("a handler with a siginfo that is not given as such");
    struct info info;
    unsigned long context[121];
    __obmc_fill(&info, sizeof info);
    info.signal = signal;
    ((void (*)(int, struct info *, void *))function)(signal, &info, context);
}

static void call_handler(handler function, int signal)
{
    int how = __atomic_load_n(&flags[signal], RELAXED);
    unsigned long long more = how & SA_NODEFER ? 0 : bit_of(signal);
    if (__obmc_linked("sigaction"))
        more |= __atomic_load_n(&masks[signal], RELAXED);
    if (how & SA_RESETHAND)
        __atomic_store_n(&handlers[signal], (handler)0, RELAXED);
    unsigned long long held_before = held;
    if (jumps())
        held |= more;
    unsigned long long before = __obmc_signal_mask();
    __obmc_set_signal_mask(before | more);
    if (how & SA_SIGINFO)
        call_with_info(function, signal);
    else
        function(signal);
    if (jumps())
        held = held_before;
    __obmc_set_signal_mask(before);
}

int __obmc_fate_of_signal(int signal)
{
    handler function = __atomic_load_n(&handlers[signal], RELAXED);
    if (function)
        return function == (handler)1 ? IGNORED : HANDLED;
    if (signal == CHILD || signal == CONTINUE || signal == URGENT || signal == WINDOW)
        return IGNORED;
    return FIRST_STOP <= signal && signal <= LAST_STOP ? STOPS : ENDS;
}

/* This thread takes the signal. */
void __obmc_take_signal(int signal)
{
    handler function = __atomic_load_n(&handlers[signal], RELAXED);
    int fate = __obmc_fate_of_signal(signal);
    if (fate == IGNORED)
        return;
    if (fate == STOPS)
        __obmc_unsupported("a signal that stops the process");
    if (fate == ENDS)
        __obmc_abort();
    call_handler(function, signal);
}

/* What abort does before it ends the process, whatever the handler does: it lets its signal through. */
void __obmc_run_abort_handler(void)
{
    handler function = __atomic_load_n(&handlers[ABORT], RELAXED);
    if (function && function != (handler)1)
        call_handler(function, ABORT);
}
