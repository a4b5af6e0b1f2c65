#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* Two threads count in turns. */
unsigned a, b;
int turn;
void *one(void *arg)
{
    while (1) {
        while (turn != 0)
            ;
        a = a + 1;
        turn = 1;
    }
}
void *two(void *arg)
{
    while (1) {
        while (turn != 1)
            ;
        b = b + 1;
        assert(a == b);
        turn = 0;
    }
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
