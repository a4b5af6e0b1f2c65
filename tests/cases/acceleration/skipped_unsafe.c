/* The counter itself tells how long the search took. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int n, stop, at;
static void *wait_for(void *arg) {
    int i = 0, end = n;
    while (i < end && !stop)
        i++;
    at = i;
    return arg;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, wait_for, 0);
    stop = 1;
    pthread_join(a, 0);
    assert(at != 3);
    return 0;
}
