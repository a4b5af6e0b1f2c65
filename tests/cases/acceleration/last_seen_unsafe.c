/* What a round without a find has read is needed later. */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int n, x, hit, before;
static void *watch(void *arg) {
    int last = 0;
    for (int i = 0; i < n && !hit; i++) {
        int now = x;
        if (now == 2) {
            hit = 1;
            before = last;
        }
        last = now;
    }
    return arg;
}
int main(void) {
    pthread_t a;
    n = __VERIFIER_nondet_int();
    pthread_create(&a, 0, watch, 0);
    x = 1;
    x = 2;
    pthread_join(a, 0);
    assert(!hit || before != 1);
    return 0;
}
