#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;
void *worker(void *arg) {
    if (x == 2)
        reach_error();
    x = 1;
    __VERIFIER_assume(0);
    x = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
