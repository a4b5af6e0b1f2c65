#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* What is added is even. */
unsigned x, y, z;
void *one(void *arg)
{
    while (1) {
        z = z + 2 * y;
        if (z % 2 == 0)
            x = 0;
        else
            x = 1;
        assert(x == 0);
    }
}
void *two(void *arg)
{
    while (1)
        y = y + 1;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
