/* pthread_once.
 *
 * Idea: the word goes 0 (fresh) -> 1 (running) -> 2 (done). The caller that moves it from 0 to 1
 * runs the routine; others wait while it is 1.
 *
 * Invariant: only one caller ever sees 0. It releases 2 after the routine has returned, and every
 * other caller goes on only after it has acquired 2: the routine comes before all returns.
 * A thread that ends in the routine (pthread_exit, cancellation) makes it fresh again on its way out,
 * by a cleanup handler, and one who waits starts anew. Nothing is done for that in programs that
 * cannot end a thread.
 * Cost: 1 load, plus 2 stores for the first caller.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_linked(const char *name);
_Noreturn void __obmc_undefined(const char *what);

enum { FRESH = 0, RUNNING = 1, DONE = 2 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };

struct handler {
    void (*routine)(void *);
    void *arg;
    int canceltype;
    struct handler *previous;
};
void _pthread_cleanup_push(struct handler *handler, void (*routine)(void *), void *arg);
void _pthread_cleanup_pop(struct handler *handler, int execute);

static void make_fresh(void *once)
{
    __atomic_store_n((int *)once, FRESH, RELEASE);
}

static void run(int *once, void (*routine)(void))
{
    if (__obmc_linked("pthread_exit") | __obmc_linked("thrd_exit") | __obmc_linked("pthread_cancel")) {
        struct handler handler;
        _pthread_cleanup_push(&handler, make_fresh, once);
        routine();
        _pthread_cleanup_pop(&handler, 0);
    } else {
        routine();
    }
}

int pthread_once(int *once, void (*routine)(void))
{
    __obmc_atomic_begin();
    int state = __atomic_load_n(once, ACQUIRE);
    if ((unsigned)state > DONE)
        __obmc_undefined("never initialised");
    __obmc_wait(state != RUNNING);
    if (state == FRESH)
        __atomic_store_n(once, RUNNING, RELAXED);
    __obmc_atomic_end();
    if (state == FRESH) {
        run(once, routine);
        __atomic_store_n(once, DONE, RELEASE);
    }
    return 0;
}
