/* What is run when the process ends.
 *
 * Idea: handlers stand in an array, the newest last, and are run from there, in the thread that calls
 * exit or returns from main (the lowering puts the call in front of every such end). They are stored
 * by relaxed atomics: atexit orders nothing. At most 32, as C promises; exit in a handler is not
 * defined, and that the last thread ends the process is not modelled together with handlers.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
int __obmc_mentioned(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
_Noreturn void __obmc_abort(void);

enum { HANDLERS = 32, RELAXED = 0 };

typedef void (*handler)(void);

struct list {
    handler handlers[HANDLERS];
    int count;
};

static struct list at_exit, at_quick_exit_;
static int ending;

static int add(struct list *list, handler function)
{
    __obmc_atomic_begin();
    int count = __atomic_load_n(&list->count, RELAXED);
    if (count >= HANDLERS)
        __obmc_unsupported("more than 32 handlers for the end of the process");
    __atomic_store_n(&list->handlers[count], function, RELAXED);
    __atomic_store_n(&list->count, count + 1, RELAXED);
    __obmc_atomic_end();
    return 0;
}

static void run(struct list *list)
{
    if (__atomic_exchange_n(&ending, 1, RELAXED))
        __obmc_unsupported("exit while handlers for the end of the process run");
    for (;;) {
        int count = __atomic_load_n(&list->count, RELAXED);
        if (count == 0)
            return;
        handler function = __atomic_load_n(&list->handlers[count - 1], RELAXED);
        __atomic_store_n(&list->count, count - 1, RELAXED);
        function();
    }
}

int atexit(handler function)
{
    if (__obmc_mentioned("pthread_exit"))
        __obmc_unsupported("atexit in a program that calls pthread_exit");
    return add(&at_exit, function);
}

int at_quick_exit(handler function)
{
    return add(&at_quick_exit_, function);
}

void __obmc_run_exit_handlers(void)
{
    run(&at_exit);
}

_Noreturn void quick_exit(int status)
{
    run(&at_quick_exit_);
    __obmc_abort();
}
