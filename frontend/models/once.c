/* pthread_once.
 *
 * Idea: the word goes 0 (fresh) -> 1 (running) -> 2 (done). The caller that moves it from 0 to 1
 * runs the routine; others wait while it is 1.
 *
 * Invariant: only one caller ever sees 0. It releases 2 after the routine has returned, and every
 * other caller goes on only after it has acquired 2: the routine comes before all returns.
 * Cost: 1 load, plus 2 stores for the first caller.
 */
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);

enum { FRESH = 0, RUNNING = 1, DONE = 2 };
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3 };

int pthread_once(int *once, void (*routine)(void))
{
    __obmc_atomic_begin();
    int state = __atomic_load_n(once, ACQUIRE);
    __obmc_wait(state != RUNNING);
    if (state == FRESH)
        __atomic_store_n(once, RUNNING, RELAXED);
    __obmc_atomic_end();
    if (state == FRESH) {
        routine();
        __atomic_store_n(once, DONE, RELEASE);
    }
    return 0;
}
