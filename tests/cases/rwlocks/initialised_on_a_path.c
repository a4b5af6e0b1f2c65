// Initialised on some path only.
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int n;
int main(void)
{
    pthread_rwlock_t x;
    if (__VERIFIER_nondet_int())
        pthread_rwlock_init(&x, 0);
    pthread_rwlock_wrlock(&x);
    n++;
    pthread_rwlock_unlock(&x);
    assert(n == 1);
    return 0;
}
