/* A block that ends an object, and one that uses it: no race, since one lock is around both. */
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int *p;
static void *uses(void *arg)
{
    __VERIFIER_atomic_begin();
    if (p)
        *p = 1;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void)
{
    pthread_t a;
    p = malloc(sizeof *p);
    if (!p)
        return 0;
    pthread_create(&a, 0, uses, 0);
    __VERIFIER_atomic_begin();
    free(p);
    p = 0;
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
