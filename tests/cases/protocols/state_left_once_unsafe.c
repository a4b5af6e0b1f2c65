// The state says it is done before it is.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int state, seed, word;
void *worker(void *arg) {
    if (state == 0) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(word == 0);
        word = 1;
        __VERIFIER_atomic_end();
        state = 1;
        seed = 7;
        word = 0;
    }
    if (seed == 0)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
