#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
static int x;
static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    while (x == 1)
        ;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (x == 1)
        reach_error();
    return 0;
}
