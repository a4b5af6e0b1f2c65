/* A join orders only when it is executed. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x;

void *t1(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, t1, 0);
    if (__VERIFIER_nondet_int())
        pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
