/* Each round counts: none is idle. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int n, stop, rounds;
static void *count(void *arg) {
    for (int i = 0; i < n && !stop; i++)
        rounds++;
    return arg;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, count, 0);
    stop = 1;
    pthread_join(a, 0);
    assert(rounds < 3);
    return 0;
}
