/* The block comes to its end only behind the write, which is in a block, too. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int ready;
static void *waits(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready == 1);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    return 0;
}
