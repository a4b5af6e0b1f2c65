// Initialised on some path only.
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int n;
int main(void)
{
    pthread_barrier_t x;
    if (__VERIFIER_nondet_int())
        pthread_barrier_init(&x, 0, 1);
    pthread_barrier_wait(&x);
    n++;
    assert(n == 1);
    return 0;
}
