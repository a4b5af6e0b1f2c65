/* A flag that some threads take, and that others give back. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int taken, last, used;

static void *worker(void *arg)
{
    int mine = 0;
    last = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(taken == 0);
        taken = 1;
        __VERIFIER_atomic_end();
        mine = 1;
    }
    used = 0;
    if (last == 7) {
        assert(taken == 1);
        taken = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
