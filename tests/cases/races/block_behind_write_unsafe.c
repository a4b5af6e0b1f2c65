/* The block comes to its end only behind the write, which nothing orders. */
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
    ready = 1;
    pthread_join(t, 0);
    return 0;
}
