/* Atomic blocks are as if under one lock: they order what comes before and after them. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
static int closed, p, y;
static void *early(void *arg)
{
    __VERIFIER_atomic_begin();
    p = 1;
    __VERIFIER_assume(!closed);
    __VERIFIER_atomic_end();
    return 0;
}
static void *late(void *arg)
{
    __VERIFIER_atomic_begin();
    p = 2;
    __VERIFIER_atomic_end();
    y = p;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, early, 0);
    pthread_create(&b, 0, late, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
