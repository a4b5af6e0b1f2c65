// Initialised on each path.
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int n;
int main(void)
{
    pthread_cond_t x;
    if (__VERIFIER_nondet_int())
        pthread_cond_init(&x, 0);
    else
        pthread_cond_init(&x, 0);
    pthread_cond_signal(&x);
    n++;
    pthread_cond_broadcast(&x);
    assert(n == 1);
    return 0;
}
