// What a thread has read stays a lower bound.
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
        if (seen == 0xffffffffu)
            return 0;
        __VERIFIER_atomic_begin();
        done = value == seen;
        if (done)
            value = seen + 1;
        __VERIFIER_atomic_end();
    } while (!done);
    if (value <= seen)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
