/* Down from any number, by two. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int n, stop, at;
static void *wait_for(void *arg) {
    int i = n;
    while (i > 0 && !stop)
        i -= 2;
    at = i;
    return arg;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n % 2)
        return 0;
    pthread_create(&a, 0, wait_for, 0);
    stop = 1;
    pthread_join(a, 0);
    assert(at >= 0 && at <= n && at % 2 == 0);
    return 0;
}
