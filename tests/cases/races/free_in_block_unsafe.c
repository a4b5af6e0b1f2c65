/* A thread that ends an object, and a block that uses it: a race, since only one of them is a block. */
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
    free(p);
    __VERIFIER_atomic_begin();
    p = 0;
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
