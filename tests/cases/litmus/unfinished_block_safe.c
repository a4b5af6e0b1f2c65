/* An atomic block that does not come to its end leaves no trace. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, y;

void *t1(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(y == 1);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, t1, 0);
    assert(x == 0);
    return 0;
}
