// Three steps further it begins again.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned value;
void *worker(void *arg) {
    unsigned seen, done;
    do {
        seen = value;
        __VERIFIER_atomic_begin();
        done = value == seen;
        if (done)
            value = (seen + 1) % 3;
        __VERIFIER_atomic_end();
    } while (!done);
    if (seen < 2 && value <= seen)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
