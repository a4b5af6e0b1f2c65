// A block that cannot reach its end has not happened.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int x;
static void *worker(void *arg) {

    x = 1;
    __VERIFIER_assume(x == 2);

    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (x == 1)
        reach_error();
    return 0;
}
