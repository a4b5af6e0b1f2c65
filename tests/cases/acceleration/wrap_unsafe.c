/* A counter that wraps, since nothing that it meets stops it. */
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char n;
static int stop, at;
static void *wait_for(void *arg) {
    unsigned char i = 4;
    while (i != n && !stop)
        i += 2;
    at = i;
    return arg;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, wait_for, 0);
    pthread_join(a, 0);
    assert(at >= 4);
    return 0;
}
