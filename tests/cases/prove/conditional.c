/* Elements of an array that are known to differ: steps on them commute, and their order does not matter. */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int v[2];
unsigned i, j;

void *one(void *arg)
{
    v[i] = 1;
    v[i] = 2;
    return 0;
}

void *two(void *arg)
{
    v[j] = -2;
    v[j] = -1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 2 && j < 2 && i != j);
    v[i] = 0;
    v[j] = 0;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(v[j] >= -1);
    return 0;
}
