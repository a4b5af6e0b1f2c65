// Executions in which the assumption fails do not count.
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void *worker(void *arg) {
    __VERIFIER_assume(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    reach_error();
    return 0;
}
