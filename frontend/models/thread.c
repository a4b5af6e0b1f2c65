/* Starting, ending and joining threads.
 *
 * Idea: the IR has threads; a pthread_t is the IR's thread id. The new thread runs the user's
 * function directly, unless destructors of thread-specific values must run at its end (key.c). What
 * the program cannot need is asked for with __obmc_linked and not even compiled.
 *
 * Invariant: the id is stored before the thread starts, as glibc does; where others look for it that
 * is an assumption of the verdict (analysis/src/own_id.rs), for C11's thrd_create it is the text.
 * Create and join order as Spawn and Join do. Every thread that ends by returning or by pthread_exit
 * runs the destructors once; pthread_exit first runs the cleanup handlers that are still pushed,
 * newest first. Attributes are read as a whole, before the thread starts. Joining oneself is EDEADLK.
 * The first thread has its own id only from pthread_self, so without that, and if only it joins,
 * it is not read: a loop of joins is one for the modular proof. The life of an id is over when its
 * thread was joined, or has ended and was detached; to use it then is undefined (Join and detach.c
 * see to that).
 */
unsigned long __obmc_spawn(unsigned long *place, void *(*function)(void *), void *arg);
void *__obmc_join(unsigned long thread);
int __obmc_ended(unsigned long thread);
unsigned long __obmc_self(void);
void pthread_testcancel(void);
_Noreturn void __obmc_exit_thread(void *value);
int __obmc_linked(const char *name);
int __obmc_set_detached(unsigned long thread);
int __obmc_was_joined(unsigned long thread);
void __obmc_begin_detached(unsigned long thread);
int __obmc_is_detached(unsigned long thread);
void __obmc_set_joined(unsigned long thread);
int __obmc_threads_join(void);
void __obmc_await_end_or_cancel(unsigned long thread);
void __obmc_run_cleanup_handlers(void);
void __obmc_run_key_destructors(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_inherit_signals(unsigned long thread);
unsigned long __obmc_start_thread_with_keys(unsigned long *place, void *(*function)(void *),
                                            void *arg);

enum { E_SRCH = 3, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };
enum { REALTIME = 0, MONOTONIC = 1 };
enum { RELAXED = 0, LAST = sizeof(long) == 8 ? 13 : 8 };

static unsigned long start(unsigned long *place, void *(*function)(void *), void *arg)
{
    if (__obmc_linked("pthread_key_create") | __obmc_linked("tss_create"))
        return __obmc_start_thread_with_keys(place, function, arg);
    return __obmc_spawn(place, function, arg);
}

/* A new thread blocks the signals that its maker blocks, from its first step. */
unsigned long __obmc_start_thread(unsigned long *place, void *(*function)(void *), void *arg)
{
    if (__obmc_linked("kill") | __obmc_linked("pthread_kill") | __obmc_linked("raise")
        | __obmc_linked("pthread_sigmask") | __obmc_linked("sigprocmask")) {
        __obmc_atomic_begin();
        unsigned long thread = start(place, function, arg);
        __obmc_inherit_signals(thread);
        __obmc_atomic_end();
        return thread;
    }
    return start(place, function, arg);
}

/* A null `thread` is accepted although POSIX has no such case: programs pass it. It is an assumption
 * of the verdict (lower/open.rs), unless valid accesses are the question. */
int pthread_create(unsigned long *thread, const int *attr, void *(*function)(void *), void *arg)
{
    int detached = 0;
    if (attr) {
        __atomic_load_n(attr + LAST, RELAXED);
        detached = *attr;
    }
    unsigned long id = __obmc_start_thread(thread, function, arg);
    if (__obmc_linked("pthread_attr_setdetachstate")) {
        if (detached)
            __obmc_begin_detached(id);
    }
    return 0;
}

_Noreturn void pthread_exit(void *value)
{
    if (__obmc_linked("_pthread_cleanup_push") | __obmc_linked("__pthread_register_cancel")
        | __obmc_linked("pthread_once") | __obmc_linked("call_once"))
        __obmc_run_cleanup_handlers();
    if (__obmc_linked("pthread_key_create") | __obmc_linked("tss_create"))
        __obmc_run_key_destructors();
    __obmc_exit_thread(value);
}

static int error_of_join(unsigned long thread)
{
    if (__obmc_linked("pthread_detach") | __obmc_linked("thrd_detach")
        | __obmc_linked("pthread_attr_setdetachstate")) {
        if (__obmc_is_detached(thread))
            return E_INVAL;
    }
    if (__obmc_linked("pthread_self") | __obmc_linked("thrd_current") | __obmc_threads_join()) {
        if (thread == __obmc_self())
            return E_DEADLK;
    }
    return 0;
}

static void *join(unsigned long thread)
{
    void *result = __obmc_join(thread);
    if (__obmc_linked("pthread_detach") | __obmc_linked("thrd_detach")
        | __obmc_linked("pthread_cancel"))
        __obmc_set_joined(thread);
    return result;
}

static int join_if_ended(unsigned long thread, void **value, int error)
{
    int mistake = error_of_join(thread);
    if (mistake)
        return mistake;
    if (!__obmc_ended(thread))
        return error;
    void *result = join(thread);
    if (value)
        *value = result;
    return 0;
}

int pthread_join(unsigned long thread, void **value)
{
    int error = error_of_join(thread);
    if (error)
        return error;
    if (__obmc_linked("pthread_cancel"))
        __obmc_await_end_or_cancel(thread);
    void *result = join(thread);
    if (value)
        *value = result;
    return 0;
}

int pthread_tryjoin_np(unsigned long thread, void **value)
{
    if (!__obmc_ended(thread))
        return E_BUSY;
    return join_if_ended(thread, value, E_BUSY);
}

/* `deadline` is seconds and nanoseconds; without one it is a join. */
int pthread_clockjoin_np(unsigned long thread, void **value, int clock, const long *deadline)
{
    if (!deadline)
        return pthread_join(thread, value);
    if (clock != REALTIME && clock != MONOTONIC)
        return E_INVAL;
    deadline[0];
    deadline[1];
    if (__obmc_linked("pthread_cancel"))
        pthread_testcancel();
    return join_if_ended(thread, value, E_TIMEDOUT);
}

int pthread_timedjoin_np(unsigned long thread, void **value, const long *deadline)
{
    return pthread_clockjoin_np(thread, value, REALTIME, deadline);
}

int pthread_detach(unsigned long thread)
{
    if ((__obmc_linked("pthread_join") | __obmc_linked("thrd_join")) && __obmc_was_joined(thread))
        return E_SRCH;
    return __obmc_set_detached(thread) ? E_INVAL : 0;
}

unsigned long pthread_self(void)
{
    return __obmc_self();
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}
