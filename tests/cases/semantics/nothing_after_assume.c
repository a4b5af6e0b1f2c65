#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int stage;
static void *worker(void *arg) {
    stage = 1;
    __VERIFIER_assume(stage == 3);
    stage = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (stage == 2)
        reach_error();
    return 0;
}
