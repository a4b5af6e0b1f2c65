// Whoever finds 0 when it puts 1 there is alone.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int word, inside;
void *worker(void *arg) {
    int old;
    do {
        __VERIFIER_atomic_begin();
        old = word;
        word = 1;
        __VERIFIER_atomic_end();
    } while (old != 0);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    word = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
