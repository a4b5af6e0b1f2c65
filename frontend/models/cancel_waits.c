/* The blocking cancellation points of a program that cancels threads.
 *
 * Idea: each waits for its event or for a cancellation request. A thread that finds both takes the event,
 * since POSIX lets a request that comes with it wait for the next cancellation point.
 *
 * Invariant: a thread that acts on a request has consumed nothing: no signal, no semaphore unit. A
 * cancelled pthread_cond_wait has the mutex again before its cleanup handlers run. Whether the
 * request came in time is decided before the mutex is taken, so that both outcomes are possible.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_spurious(void);
int __obmc_ended(unsigned long thread);
int __obmc_cancel_pending(void);
_Noreturn void __obmc_cancel_now(void);
void pthread_testcancel(void);
int pthread_mutex_lock(int *mutex);

enum { RELAXED = 0, ACQUIRE = 2 };

void __obmc_await_end_or_cancel(unsigned long thread)
{
    pthread_testcancel();
    __obmc_atomic_begin();
    int ended = __obmc_ended(thread);
    __obmc_wait(ended || __obmc_cancel_pending());
    __obmc_atomic_end();
    if (!ended)
        __obmc_cancel_now();
}

int __obmc_cond_wait_cancellable(unsigned *cond, int *mutex, unsigned bit)
{
    __obmc_atomic_begin();
    int cancelled = __obmc_cancel_pending();
    if (!__obmc_spurious()) {
        unsigned set = __atomic_load_n(cond, RELAXED);
        int waiting = (set & bit) != 0;
        __obmc_wait(!waiting || cancelled);
        cancelled = waiting;
        if (waiting)
            __atomic_store_n(cond, set & ~bit, RELAXED);
    }
    __obmc_atomic_end();
    int error = pthread_mutex_lock(mutex);
    if (cancelled)
        __obmc_cancel_now();
    return error;
}

int __obmc_sem_wait_cancellable(unsigned *semaphore)
{
    pthread_testcancel();
    __obmc_atomic_begin();
    int available = __atomic_load_n(semaphore, RELAXED) > 0;
    __obmc_wait(available || __obmc_cancel_pending());
    if (available) {
        unsigned value = __atomic_load_n(semaphore, ACQUIRE);
        __atomic_store_n(semaphore, value - 1, RELAXED);
    }
    __obmc_atomic_end();
    if (!available)
        __obmc_cancel_now();
    return 0;
}
