// Initialised on some path only.
#include <semaphore.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int n;
int main(void)
{
    sem_t x;
    if (__VERIFIER_nondet_int())
        sem_init(&x, 0, 1);
    sem_wait(&x);
    n++;
    sem_post(&x);
    assert(n == 1);
    return 0;
}
