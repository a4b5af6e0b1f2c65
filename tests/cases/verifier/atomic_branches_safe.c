// An atomic block may have branches, loops and calls in it; it is still one step.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int a, b;
static void bump(int *p) { (*p)++; }
static void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++) {
        if (i != 1)
            bump(&a);
        else
            b += 2;
    }
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    int x = a, y = b;
    __VERIFIER_atomic_end();
    assert(x == y);
    pthread_join(t, 0);
    return 0;
}
