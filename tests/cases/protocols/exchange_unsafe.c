// 2 is found by one that is not alone.
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
        word = old ? 2 : 1;
        __VERIFIER_atomic_end();
    } while (old == 1);
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
