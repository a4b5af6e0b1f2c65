// Initialised on each path.
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int n;
int main(void)
{
    pthread_spinlock_t x;
    if (__VERIFIER_nondet_int())
        pthread_spin_init(&x, PTHREAD_PROCESS_PRIVATE);
    else
        pthread_spin_init(&x, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&x);
    n++;
    pthread_spin_unlock(&x);
    assert(n == 1);
    return 0;
}
