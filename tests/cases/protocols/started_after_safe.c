// The value is set before the first start and never again.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;
void *worker(void *arg) {
    if (x != 2)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    x = 1;
    x = 2;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
