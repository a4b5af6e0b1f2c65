/* Signals on their way: who sends them, who blocks them, who waits for them.
 *
 * Idea: a signal interrupts no thread between two of its instructions. The thread that sends it takes it
 * before it goes on, where POSIX and Linux have it so: it sends to itself, or to the process and no
 * other thread lets the signal through, or it is the first thread, which Linux prefers (lower/open.rs).
 * What all block waits: in `pending` for one thread, in `for_any` for the process. It is taken by who
 * unblocks it, before that returns, or by who waits for signals. A handler that would have to
 * interrupt another thread is not modelled.
 * Signals from outside come to those who wait for some, at any time, in programs that send themselves
 * none; in others they do not come (lower/open.rs), and who waits for one is not hung.
 *
 * Invariant: bit n - 1 is signal n. `blocked[i]` is what thread i blocks; it starts with what the
 * thread that made it blocks (thread.c), the first one with nothing. `started` has a bit for each
 * thread, `suspended` for those that wait by pause or sigsuspend. A signal that waits twice is one
 * signal. Sending comes before taking (release, acquire). At most 31 threads.
 */
void __VERIFIER_assume(int condition);
_Bool __VERIFIER_nondet_bool(void);
int *__errno_location(void);
int __obmc_linked(const char *name);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_ended(unsigned long thread);
unsigned long __obmc_self(void);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill(void *block, unsigned long size);
int __obmc_fate_of_signal(int signal);
void __obmc_take_signal(int signal);
void __obmc_mask_is_clear(unsigned long long looked_at);
_Noreturn void __obmc_abort(void);
_Noreturn void __obmc_unsupported(const char *what);

enum { SIZE = 128, WORDS = SIZE / sizeof(unsigned long), HOW_LAST = 2, MOST = 31, SIGNALS = 65 };
enum { E_SRCH = 3, E_INTR = 4, E_AGAIN = 11, E_INVAL = 22, SECOND = 1000000000 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, BLOCK = 0, UNBLOCK = 1, FIRST = 1, THIS_PROCESS = 1 };

/* As in signal.c. */
enum fate { IGNORED, HANDLED, ENDS, STOPS };

/* All but SIGKILL, SIGSTOP and the two that the library keeps for itself. */
static const unsigned long long BLOCKABLE = ~(1ull << 8 | 1ull << 18 | 3ull << 31);

typedef unsigned long long signals;

static signals blocked[MOST + 1];
static signals pending[MOST + 1];
static signals for_any;
static unsigned started = 1u << FIRST;
static unsigned suspended;

static signals bit_of(int signal)
{
    return 1ull << (signal - 1);
}

static signals in_set(const unsigned long *set)
{
    const unsigned *half = (const unsigned *)set;
    return half[0] | (signals)half[1] << 32;
}

static void store_set(unsigned long *set, signals in)
{
    for (int i = 0; i < WORDS; i++)
        set[i] = 0;
    set[0] = in;
    if (sizeof(long) == 4)
        set[1] = in >> 16 >> 16;
}

static int number_of(unsigned long thread)
{
    if (thread > MOST)
        __obmc_unsupported("signals with more than 31 threads");
    return thread;
}

static int my_number(void)
{
    return number_of(__obmc_self());
}

static signals mask_of(int thread)
{
    return __atomic_load_n(&blocked[thread], RELAXED);
}

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

/* In one step with its start. */
void __obmc_inherit_signals(unsigned long thread)
{
    int new = number_of(thread);
    __atomic_store_n(&blocked[new], mask_of(my_number()), RELAXED);
    __atomic_store_n(&started, __atomic_load_n(&started, RELAXED) | 1u << new, RELAXED);
}

/* Does the program send signals itself? */
static int sends(void)
{
    return __obmc_linked("kill") + __obmc_linked("pthread_kill") + __obmc_linked("raise");
}

/* Any one of a set; 0 if it is empty. */
static int any_of(signals set)
{
    while (set & (set - 1))
        set = __VERIFIER_nondet_bool() ? set & -set : set & (set - 1);
    return set ? __builtin_ctzll(set) + 1 : 0;
}

/* Takes one of these signals out of those that wait for this thread or for any; 0 if there is none. */
static int take_out(int me, signals of)
{
    __obmc_atomic_begin();
    signals own = __atomic_load_n(&pending[me], ACQUIRE);
    signals all = __atomic_load_n(&for_any, ACQUIRE);
    int signal = any_of((own | all) & of);
    if (signal) {
        if (own & bit_of(signal))
            __atomic_store_n(&pending[me], own & ~bit_of(signal), RELEASE);
        else
            __atomic_store_n(&for_any, all & ~bit_of(signal), RELEASE);
    }
    __obmc_atomic_end();
    return signal;
}

/* Takes what waits and is not blocked any more. */
static void take_what_waits(int me)
{
    int signal;
    while ((signal = take_out(me, ~mask_of(me))) != 0)
        __obmc_take_signal(signal);
}

unsigned long long __obmc_signal_mask(void)
{
    return mask_of(my_number());
}

void __obmc_set_signal_mask(unsigned long long mask)
{
    int me = my_number();
    __atomic_store_n(&blocked[me], mask & BLOCKABLE, RELAXED);
    if (sends())
        take_what_waits(me);
}

int pthread_sigmask(int how, const unsigned long *set, unsigned long *before)
{
    signals wanted = 0;
    signals last = __obmc_signal_mask();
    __obmc_mask_is_clear(-1);
    if (set) {
        __obmc_read_block(set, SIZE);
        if (how < 0 || how > HOW_LAST)
            return E_INVAL;
        wanted = in_set(set);
    }
    if (before)
        store_set(before, last);
    if (set)
        __obmc_set_signal_mask(how == BLOCK ? last | wanted : how == UNBLOCK ? last & ~wanted : wanted);
    return 0;
}

int sigprocmask(int how, const unsigned long *set, unsigned long *before)
{
    int error = pthread_sigmask(how, set, before);
    return error ? fail(error) : 0;
}

int sigpending(unsigned long *set)
{
    int me = my_number();
    __obmc_atomic_begin();
    signals all = __atomic_load_n(&pending[me], ACQUIRE) | __atomic_load_n(&for_any, ACQUIRE);
    __obmc_atomic_end();
    store_set(set, all & mask_of(me));
    return 0;
}

/* It waits; or it does not, if it would be ignored: that is open. */
static void leave(signals *waiting, int signal)
{
    if (__obmc_fate_of_signal(signal) == IGNORED && __VERIFIER_nondet_bool())
        return;
    __atomic_fetch_or(waiting, bit_of(signal), RELEASE);
}

/* To another thread, or to one of several others, that lets it through. Gives whether its handler runs
 * now, in a thread that was not made for that. */
static int interrupts(int signal, unsigned sleeping, signals *waiting)
{
    int fate = __obmc_fate_of_signal(signal);
    if (fate == HANDLED && sleeping)
        leave(waiting, signal);
    return fate != IGNORED && !(fate == HANDLED && sleeping);
}

static void interrupt(int signal)
{
    if (__obmc_fate_of_signal(signal) == ENDS)
        __obmc_abort();
    __obmc_unsupported("a signal that stops, or whose handler interrupts, another thread");
}

static void send_to_myself(int me, int signal)
{
    __obmc_mask_is_clear(bit_of(signal));
    if (mask_of(me) & bit_of(signal))
        leave(&pending[me], signal);
    else
        __obmc_take_signal(signal);
}

int raise(int signal)
{
    if (signal < 0 || signal >= SIGNALS)
        return fail(E_INVAL);
    if (signal)
        send_to_myself(my_number(), signal);
    return 0;
}

/* glibc says 0 for a thread that has ended and is not joined, others ESRCH. */
int pthread_kill(unsigned long thread, int signal)
{
    int me = my_number();
    if (signal < 0 || signal >= SIGNALS)
        return E_INVAL;
    if (thread == me) {
        if (signal)
            send_to_myself(me, signal);
        return 0;
    }
    if (__obmc_ended(thread))
        return __VERIFIER_nondet_bool() ? E_SRCH : 0;
    if (!signal)
        return 0;
    int other = number_of(thread);
    int now = 0;
    __obmc_atomic_begin();
    if (mask_of(other) & bit_of(signal))
        leave(&pending[other], signal);
    else
        now = interrupts(signal, __atomic_load_n(&suspended, RELAXED) >> other & 1, &pending[other]);
    __obmc_atomic_end();
    if (now)
        interrupt(signal);
    return 0;
}

/* Threads that run and let the signal through. */
static unsigned who_lets_through(int signal)
{
    unsigned all = __atomic_load_n(&started, RELAXED);
    unsigned open = 0;
    for (int i = FIRST; i <= MOST; i++)
        if (all >> i & 1)
            if (!(mask_of(i) & bit_of(signal)) && !__obmc_ended(i))
                open |= 1u << i;
    return open;
}

int kill(int process, int signal)
{
    if (signal < 0 || signal >= SIGNALS)
        return fail(E_INVAL);
    if (process != THIS_PROCESS) {
        if (process <= 0 && signal)
            __obmc_unsupported("a signal to several processes");
        return __obmc_between(-1, 0);
    }
    if (!signal)
        return 0;
    int me = my_number();
    __obmc_mask_is_clear(bit_of(signal));
    __obmc_atomic_begin();
    unsigned open = who_lets_through(signal);
    int mine = open == 1u << me || (me == FIRST && open >> me & 1);
    int now = 0;
    if (!open)
        leave(&for_any, signal);
    else if (!mine)
        now = interrupts(signal, __atomic_load_n(&suspended, RELAXED) & open, &for_any);
    __obmc_atomic_end();
    if (mine)
        __obmc_take_signal(signal);
    if (now)
        interrupt(signal);
    return 0;
}

/* Who waits for no signal waits for ever. */
static int wait_for(const unsigned long *set)
{
    __obmc_cancellation_point();
    __obmc_read_block(set, SIZE);
    signals wanted = in_set(set);
    __obmc_atomic_begin();
    __obmc_wait(wanted != 0);
    __obmc_atomic_end();
    int signal = sends() ? take_out(my_number(), wanted) : (int)__obmc_between(1, SIGNALS - 1);
    __VERIFIER_assume(signal && (wanted & bit_of(signal)) != 0);
    return signal;
}

int sigwait(const unsigned long *set, int *to)
{
    *to = wait_for(set);
    return 0;
}

/* The signal's number comes first. */
static int tell(int signal, int *info)
{
    if (info) {
        __obmc_fill(info, 128);
        info[0] = signal;
    }
    return signal;
}

int sigwaitinfo(const unsigned long *set, int *info)
{
    return tell(wait_for(set), info);
}

int sigtimedwait(const unsigned long *set, int *info, const long *limit)
{
    if (limit) {
        long seconds = limit[0], fraction = limit[1];
        if (seconds < 0 || fraction < 0 || fraction >= SECOND)
            return fail(E_INVAL);
        if (__VERIFIER_nondet_bool()) {
            __obmc_read_block(set, SIZE);
            __obmc_cancellation_point();
            return fail(E_AGAIN);
        }
    }
    return sigwaitinfo(set, info);
}

/* A signal that is ignored ends no waiting. */
static int any_that_wakes(int me)
{
    if (sends()) {
        int sent = take_out(me, ~mask_of(me));
        __VERIFIER_assume(sent != 0);
        return sent;
    }
    int signal = (int)__obmc_between(1, SIGNALS - 1);
    int fate = __obmc_fate_of_signal(signal);
    __VERIFIER_assume((fate == HANDLED || fate == ENDS) && !(mask_of(me) & bit_of(signal)));
    return signal;
}

static int suspend(signals mask)
{
    int me = my_number();
    __obmc_cancellation_point();
    signals before = mask_of(me);
    __obmc_atomic_begin();
    __atomic_store_n(&blocked[me], mask & BLOCKABLE, RELAXED);
    __atomic_fetch_or(&suspended, 1u << me, RELAXED);
    __obmc_atomic_end();
    int signal = any_that_wakes(me);
    __atomic_fetch_and(&suspended, ~(1u << me), RELAXED);
    __obmc_take_signal(signal);
    if (sends())
        take_what_waits(me);
    __obmc_set_signal_mask(before);
    return fail(E_INTR);
}

int sigsuspend(const unsigned long *set)
{
    __obmc_read_block(set, SIZE);
    return suspend(in_set(set));
}

int pause(void)
{
    return suspend(mask_of(my_number()));
}

/* Signals that wait and are ignored from now on are thrown away. */
void __obmc_forget_signal(int signal)
{
    __obmc_atomic_begin();
    __atomic_fetch_and(&for_any, ~bit_of(signal), RELAXED);
    for (int i = FIRST; i <= MOST; i++)
        __atomic_fetch_and(&pending[i], ~bit_of(signal), RELAXED);
    __obmc_atomic_end();
}
