#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* Readers and a writer that counts. */
int w, r;
unsigned x;
void *one(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(w == 0);
        w = 1;
        __VERIFIER_atomic_end();
        x = x + 1;
        w = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        unsigned l;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(w == 0);
        r = r + 1;
        __VERIFIER_atomic_end();
        l = x;
        assert(l == x);
        __VERIFIER_atomic_begin();
        r = r - 1;
        __VERIFIER_atomic_end();
    }
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, two, 0);
    pthread_join(a, 0);
    return 0;
}
