#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* The bakery for two threads with numbers that grow; they never wrap. */
int n1, n2, in;
void *one(void *arg)
{
    while (1) {
        __VERIFIER_assume(n2 < 1000000);
        __VERIFIER_atomic_begin();
        n1 = n2 + 1;
        __VERIFIER_atomic_end();
        while (1) {
            int other = n2;
            if (other == 0 || n1 <= other)
                break;
        }
        in++;
        assert(in == 1);
        in--;
        n1 = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        __VERIFIER_assume(n1 < 1000000);
        __VERIFIER_atomic_begin();
        n2 = n1 + 1;
        __VERIFIER_atomic_end();
        while (1) {
            int other = n1;
            if (other == 0 || n2 < other)
                break;
        }
        in++;
        assert(in == 1);
        in--;
        n2 = 0;
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
