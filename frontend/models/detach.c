/* Which threads were detached or joined: how long their ids may be used.
 *
 * Idea: two bits per thread id. Linked only into programs that detach or cancel.
 *
 * Invariant: the life of an id ends with a join, and with the end of a detached thread. A thread that uses
 * it then gets to a second join, which the engines call undefined. A detached thread that still runs
 * cannot be joined or detached: EINVAL, as in glibc (POSIX leaves that undefined, too; lower/open.rs).
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void *__obmc_join(unsigned long thread);
int __obmc_ended(unsigned long thread);
int __obmc_linked(const char *name);
int __obmc_asked(const char *property);
_Noreturn void __obmc_unsupported(const char *what);

static unsigned long long detached;
static unsigned long long joined;

static unsigned long long bit(unsigned long thread)
{
    if (thread > 63)
        __obmc_unsupported("detaching more than 63 threads");
    return 1ull << thread;
}

/* Sets the bit of the thread; gives whether it was set before. */
static int set(unsigned long long *threads, unsigned long thread)
{
    unsigned long long mask = bit(thread);
    __obmc_atomic_begin();
    unsigned long long before = __atomic_load_n(threads, 0);
    __atomic_store_n(threads, before | mask, 0);
    __obmc_atomic_end();
    return (before & mask) != 0;
}

/* Needs: the thread has ended. */
static void use_after_life(unsigned long thread)
{
    __obmc_join(thread);
    __obmc_join(thread);
}

void __obmc_must_not_be_joined(unsigned long thread)
{
    if (__atomic_load_n(&joined, 0) & bit(thread))
        use_after_life(thread);
}

/* Where memory is not asked about: as glibc says it while it can tell. */
int __obmc_was_joined(unsigned long thread)
{
    return !__obmc_asked("memory") && (__atomic_load_n(&joined, 0) & bit(thread)) != 0;
}

/* Gives whether it was detached before. Whether it has ended is asked of threads only. */
int __obmc_set_detached(unsigned long thread)
{
    if (__obmc_linked("pthread_join") | __obmc_linked("thrd_join"))
        __obmc_must_not_be_joined(thread);
    int ended = __obmc_ended(thread);
    if (!set(&detached, thread))
        return 0;
    if (ended)
        use_after_life(thread);
    return 1;
}

/* A new thread; it may have ended meanwhile. */
void __obmc_begin_detached(unsigned long thread)
{
    set(&detached, thread);
}

int __obmc_is_detached(unsigned long thread)
{
    if (!(__atomic_load_n(&detached, 0) & bit(thread)))
        return 0;
    if (__obmc_asked("memory") && __obmc_ended(thread))
        use_after_life(thread);
    return 1;
}

void __obmc_set_joined(unsigned long thread)
{
    set(&joined, thread);
}
