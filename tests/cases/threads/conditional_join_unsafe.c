#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int x;
static void *worker(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    _Bool wait = __VERIFIER_nondet_bool();
    pthread_create(&t, 0, worker, 0);
    if (wait)
        pthread_join(t, 0);
    assert(x == 1 );
    return 0;
}
