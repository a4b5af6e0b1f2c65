/* Deferred cancellation.
 *
 * Idea: pthread_cancel sets the bit of its target; cancellation points look at their own bit. The
 * blocking ones (cond_wait, join, sem_wait) also end their wait when it is set. Being cancelled is
 * pthread_exit(PTHREAD_CANCELED).
 *
 * Invariant: a bit is never cleared; a thread that acts on it disables cancellation first, so that
 * its cleanup handlers run undisturbed. Cancelling orders nothing by itself (relaxed).
 * Asynchronous cancellation is not modelled. At most 31 threads can be told apart.
 */
unsigned long __obmc_self(void);
int __obmc_linked(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void pthread_exit(void *value);
void __obmc_must_not_be_joined(unsigned long thread);
int __obmc_is_detached(unsigned long thread);
int __obmc_ended(unsigned long thread);

enum { RELAXED = 0, ENABLE = 0, DISABLE = 1, DEFERRED = 0, ASYNCHRONOUS = 1, E_INVAL = 22 };

static unsigned requests;
static __thread int state;
static __thread int type;

static unsigned bit_of(unsigned long thread)
{
    if (thread > 31)
        __obmc_unsupported("pthread_cancel with more than 31 threads");
    return 1u << thread;
}

int __obmc_cancel_pending(void)
{
    return state == ENABLE && (__atomic_load_n(&requests, RELAXED) & bit_of(__obmc_self())) != 0;
}

_Noreturn void __obmc_cancel_now(void)
{
    state = DISABLE;
    pthread_exit((void *)-1);
}

void pthread_testcancel(void)
{
    if (__obmc_linked("pthread_cancel") && __obmc_cancel_pending())
        __obmc_cancel_now();
}

int pthread_cancel(unsigned long thread)
{
    if (__obmc_linked("pthread_join") | __obmc_linked("thrd_join"))
        __obmc_must_not_be_joined(thread);
    if (__obmc_linked("pthread_detach") | __obmc_linked("thrd_detach"))
        __obmc_is_detached(thread);
    if (__obmc_ended(thread))
        return 0;
    __atomic_fetch_or(&requests, bit_of(thread), RELAXED);
    return 0;
}

int pthread_setcancelstate(int new_state, int *old_state)
{
    if (new_state != ENABLE && new_state != DISABLE)
        return E_INVAL;
    if (old_state)
        *old_state = state;
    state = new_state;
    return 0;
}

int pthread_setcanceltype(int new_type, int *old_type)
{
    if (new_type != DEFERRED && new_type != ASYNCHRONOUS)
        return E_INVAL;
    if (__obmc_linked("pthread_cancel"))
        if (new_type == ASYNCHRONOUS)
            __obmc_unsupported("asynchronous cancellation");
    if (old_type)
        *old_type = type;
    type = new_type;
    return 0;
}
