// The worker stops at its assumption; what main does until its end is feasible all the same.
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int started;
static void *worker(void *arg) {
    started = 1;
    __VERIFIER_assume(0);
    started = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (started == 1)
        reach_error();
    return 0;
}
