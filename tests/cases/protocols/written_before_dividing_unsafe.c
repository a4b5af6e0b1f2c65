#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned x, zero;
void *worker(void *arg) {
    unsigned divisor = zero;
    if (x == 1)
        reach_error();
    x = 1;
    x = 6 / divisor;
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
