/* Cleanup handlers.
 *
 * Idea: each thread has a list of the handlers that are pushed; the nodes live in the frames that
 * pushed them, which are all alive while one of their callees ends the thread.
 *
 * Invariant: `newest` is the innermost open push of this thread, and `open` says of a node whether its
 * pop is still to come. Who leaves the block before it (POSIX leaves that undefined) gets to `leave`.
 * pthread_exit and cancellation take
 * each handler off the list before they run it, so that none runs twice.
 * The macros in glibc's own headers (in preprocessed input) get here, too (lower/glibc.rs). Where
 * a program itself calls what they call, the handler is out of our sight: we count these calls, and only
 * a thread that ends inside one is not modelled.
 */
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void __obmc_undefined(const char *what);

struct handler {
    void (*routine)(void *);
    void *arg;
    int open;
    struct handler *previous;
};

static __thread struct handler *newest;
static __thread int hidden;

void _pthread_cleanup_push(struct handler *handler, void (*routine)(void *), void *arg)
{
    handler->routine = routine;
    handler->arg = arg;
    handler->open = 1;
    handler->previous = newest;
    newest = handler;
}

void _pthread_cleanup_pop(struct handler *handler, int execute)
{
    newest = handler->previous;
    handler->open = 0;
    if (execute)
        handler->routine(handler->arg);
}

void __obmc_leave_cleanup(struct handler *handler)
{
    if (handler->open)
        __obmc_undefined("left cleanup");
}

void __pthread_register_cancel(void *buffer)
{
    hidden++;
}

void __pthread_unregister_cancel(void *buffer)
{
    hidden--;
}

_Noreturn void __pthread_unwind_next(void *buffer)
{
    __obmc_unsupported("__pthread_unwind_next");
}

/* Something that is the same as before if no push is open that was not, and none was closed. */
unsigned long __obmc_open_cleanups(void)
{
    return (unsigned long)newest + hidden;
}

void __obmc_run_cleanup_handlers(void)
{
    if (hidden)
        __obmc_unsupported("end of a thread inside glibc's pthread_cleanup_push");
    while (newest) {
        struct handler *handler = newest;
        newest = handler->previous;
        handler->routine(handler->arg);
    }
}
