// Initialised on some path only.
#include <pthread.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
    pthread_mutex_t m;
    if (__VERIFIER_nondet_int())
        pthread_mutex_init(&m, 0);
    assert(pthread_mutex_lock(&m) == 0);
    return 0;
}
